import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;

export const scenarioRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/scenarios/',
    validateSearch: (search: Record<string, unknown>): { offset?: number } => ({
      offset: number(search.offset),
    }),
    component: lazyRouteComponent(() => import('./list.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/scenarios/new/',
    component: lazyRouteComponent(() => import('./new.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/scenarios/$scenario/',
    component: lazyRouteComponent(() => import('./edit.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/scenarios/$scenario/versions/',
    component: lazyRouteComponent(() => import('./versions.tsx')),
  }),
] as const;
