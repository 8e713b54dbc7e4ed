import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

export const homeRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./home.tsx')),
  }),
] as const;
