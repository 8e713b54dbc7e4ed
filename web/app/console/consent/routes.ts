import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

export const consentRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'consent',
    component: lazyRouteComponent(() => import('./consent.tsx')),
  }),
] as const;
