import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

type ListSearch = { search?: string; tag?: string; offset?: number };

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;

const offset = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;

export const profileRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/profiles',
    validateSearch: (given: Record<string, unknown>): ListSearch => ({
      search: text(given.search),
      tag: text(given.tag),
      offset: offset(given.offset),
    }),
    component: lazyRouteComponent(() => import('./list.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/profiles/dictionary',
    component: lazyRouteComponent(() => import('./dictionary.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/profiles/$profile',
    component: lazyRouteComponent(() => import('./profile.tsx')),
  }),
] as const;
