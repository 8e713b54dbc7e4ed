import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';
import { readNewSearch } from './new-search.ts';

export const channelRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'channels',
    component: lazyRouteComponent(() => import('./list.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'channels/new',
    validateSearch: readNewSearch,
    component: lazyRouteComponent(() => import('./new.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'channels/$channel',
    component: lazyRouteComponent(() => import('./channel.tsx')),
  }),
] as const;
