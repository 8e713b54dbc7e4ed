import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'settings',
    component: lazyRouteComponent(() => import('./settings.tsx')),
  }),
] as const;
