import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { Provider } from '../shared/provider.tsx';
import { router } from './router.tsx';

const place = document.getElementById('root');
if (!place) throw new Error('the page has no place for the console');
createRoot(place).render(
  <Provider>
    <RouterProvider router={router} />
  </Provider>,
);
