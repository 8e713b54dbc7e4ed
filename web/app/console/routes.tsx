import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { NotFoundPage } from './not-found.tsx';

/** The root of all routes; `router.tsx` builds the tree. */
export const rootRoute = createRootRoute({ notFoundComponent: NotFoundPage });

/** `/console/` redirects to the first project. */
export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./start.tsx')),
});

/** All pages of a project share the menu. */
export const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$project',
  component: lazyRouteComponent(() => import('./layout.tsx')),
});
