import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

export const teamRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'team',
    component: lazyRouteComponent(() => import('./team.tsx')),
  }),
] as const;
