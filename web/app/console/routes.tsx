import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { NotFoundPage } from './not-found.tsx';

/** What all routes hang on; `router.tsx` puts the tree together. */
export const rootRoute = createRootRoute({ notFoundComponent: NotFoundPage });

/** `/console/` leads to the first project. */
export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./start.tsx')),
});

/** Everything below a project has the menu around it. */
export const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$project',
  component: lazyRouteComponent(() => import('./layout.tsx')),
});
