import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

export const audienceRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/audiences',
    component: lazyRouteComponent(() => import('./list.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/audiences/$audience',
    component: lazyRouteComponent(() => import('./audience.tsx')),
  }),
] as const;
