import { createRouter } from '@tanstack/react-router';
import { basePath } from '../shared/page.ts';
import { LoadProblem } from '../shared/problem.tsx';
import { accountRoutes } from './account/routes.ts';
import { applicationRoutes } from './applications/routes.ts';
import { audienceRoutes } from './audiences/routes.ts';
import { channelRoutes } from './channels/routes.ts';
import { consentRoutes } from './consent/routes.ts';
import { homeRoutes } from './home/routes.ts';
import { mailingRoutes } from './mailings/routes.ts';
import { profileRoutes } from './profiles/routes.ts';
import { projectsRoutes } from './projects/routes.ts';
import { promocodeRoutes } from './promocodes/routes.ts';
import { projectRoute, rootRoute, startRoute } from './routes.tsx';
import { scenarioRoutes } from './scenarios/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { teamRoutes } from './team/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { widgetRoutes } from './widget/routes.ts';

const tree = rootRoute.addChildren([
  startRoute,
  projectRoute.addChildren([
    ...homeRoutes,
    ...mailingRoutes,
    ...audienceRoutes,
    ...profileRoutes,
    ...scenarioRoutes,
    ...templateRoutes,
    ...promocodeRoutes,
    ...consentRoutes,
    ...channelRoutes,
    ...widgetRoutes,
    ...webhookRoutes,
    ...applicationRoutes,
    ...teamRoutes,
    ...settingsRoutes,
    ...projectsRoutes,
    ...accountRoutes,
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  basepath: `${basePath}/console`,
  trailingSlash: 'always',
  scrollRestoration: true,
  defaultErrorComponent: ({ error, reset }) => <LoadProblem error={error} onRetry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
