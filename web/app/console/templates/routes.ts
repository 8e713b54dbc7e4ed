import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

export const templateRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/templates/',
    component: lazyRouteComponent(() => import('./list.tsx')),
  }),
] as const;
