import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

export const accountRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'account',
    component: lazyRouteComponent(() => import('./account.tsx')),
  }),
] as const;
