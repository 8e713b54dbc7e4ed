import { createRouter } from '@tanstack/react-router';
import { basePath } from '../shared/page.ts';
import { homeRoutes } from './home/routes.ts';
import { projectRoute, rootRoute, startRoute } from './routes.tsx';

const tree = rootRoute.addChildren([startRoute, projectRoute.addChildren([...homeRoutes])]);

export const router = createRouter({
  routeTree: tree,
  basepath: `${basePath}/console`,
  trailingSlash: 'always',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
