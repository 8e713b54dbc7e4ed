import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

const offset = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;

export const promocodeRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/promocodes',
    validateSearch: (given: Record<string, unknown>): { offset?: number } => ({
      offset: offset(given.offset),
    }),
    component: lazyRouteComponent(() => import('./groups.tsx')),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    path: '/promocodes/$group',
    validateSearch: (given: Record<string, unknown>): { offset?: number; status?: 'ISSUED' } => ({
      offset: offset(given.offset),
      status: given.status === 'ISSUED' ? 'ISSUED' : undefined,
    }),
    component: lazyRouteComponent(() => import('./group.tsx')),
  }),
] as const;
