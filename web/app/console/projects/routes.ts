import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { projectRoute } from '../routes.tsx';

export const projectsRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    path: 'new-project',
    component: lazyRouteComponent(() => import('./new-project.tsx')),
  }),
] as const;
