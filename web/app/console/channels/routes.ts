import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

export const channelRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'channels',
    component: lazyRouteComponent(() => import('./list.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'channels/new',
    component: lazyRouteComponent(() => import('./new.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'channels/$channel',
    component: lazyRouteComponent(() => import('./channel.tsx')),
  }),
] as const;
