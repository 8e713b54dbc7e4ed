import { createRoot } from 'react-dom/client';
import { Provider } from '../shared/provider.tsx';
import { ChatCenter } from './chat-center.tsx';

const place = document.getElementById('root');
if (!place) throw new Error('the page has no place for the chat center');
createRoot(place).render(
  <Provider>
    <ChatCenter />
  </Provider>,
);
