import type { Command } from 'commander';
import { listing, reporting } from './report.ts';

export function addTokenCommands(program: Command): void {
  program
    .command('token')
    .description('manage access tokens')
    .command('issue')
    .description('issue tokens for an application and a project, without the grant page')
    .requiredOption('--app <client_id>', 'the application')
    .requiredOption('--project <uuid>', 'the project')
    .action(
      reporting(async (tools, options: { app: string; project: string }) => {
        const { knownApplication, knownProject } = await import('./known.ts');
        const { issueToken } = await import('../access/oauth/issue-token.ts');
        const application = await knownApplication(tools, options.app);
        const project = await knownProject(tools, options.project);
        const tokens = await issueToken(tools, { applicationId: application.id, projectId: project.id });
        return {
          json: tokens,
          text: listing(
            `Tokens of "${application.name}" for "${project.name}". Save them: they are shown only once.`,
            {
              'access token': tokens.access_token,
              'refresh token': tokens.refresh_token,
              'lives for': `${tokens.expires_in} seconds`,
            },
          ),
        };
      }),
    );
}
