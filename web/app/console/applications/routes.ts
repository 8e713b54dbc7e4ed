import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

export const applicationRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'applications',
    component: lazyRouteComponent(() => import('./page.tsx')),
  }),
] as const;
