import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

type ListSearch = { search?: string; offset?: number };

const offset = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;

export const mailingRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/mailings/',
    validateSearch: (given: Record<string, unknown>): ListSearch => ({
      search: text(given.search),
      offset: offset(given.offset),
    }),
    component: lazyRouteComponent(() => import('./list.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/mailings/new/',
    // The mailing to duplicate, or the draft to continue.
    validateSearch: (given: Record<string, unknown>): { from?: string; draft?: string } => ({
      from: text(given.from),
      draft: text(given.draft),
    }),
    component: lazyRouteComponent(() => import('./compose/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/mailings/calendar/',
    validateSearch: (given: Record<string, unknown>): { view?: 'month' | 'week'; day?: string } => ({
      ...(given.view === 'week' && { view: 'week' }),
      day: text(given.day),
    }),
    component: lazyRouteComponent(() => import('./calendar/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/mailings/compare/',
    // The uuids, separated by commas.
    validateSearch: (given: Record<string, unknown>): { mailings?: string } => ({
      mailings: text(given.mailings),
    }),
    component: lazyRouteComponent(() => import('./compare/page.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/mailings/$mailing/',
    component: lazyRouteComponent(() => import('./one/page.tsx')),
  }),
] as const;
