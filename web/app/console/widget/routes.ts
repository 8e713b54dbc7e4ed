import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

export const widgetRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'widget',
    component: lazyRouteComponent(() => import('./widget.tsx')),
  }),
] as const;
