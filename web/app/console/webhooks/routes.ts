import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';
import { readSearch } from './search.ts';

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'webhooks',
    component: lazyRouteComponent(() => import('./list.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'webhooks/$webhook',
    validateSearch: readSearch,
    component: lazyRouteComponent(() => import('./webhook.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'webhooks/$webhook/events/$event',
    component: lazyRouteComponent(() => import('./event.tsx')),
  }),
] as const;
