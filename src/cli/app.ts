import type { Command } from 'commander';
import { listing, reporting } from './report.ts';

export function addAppCommands(program: Command): void {
  program
    .command('app')
    .description('manage applications; users grant them access to projects')
    .command('create <name>')
    .description('register an application')
    .requiredOption('--redirect-uri <uri>', 'where a grant may lead back to; may be repeated', collect)
    .action(
      reporting(async (tools, name: string, options: { redirectUri: string[] }) => {
        const { createApplication } = await import('../access/oauth/applications.ts');
        const { clientId, clientSecret } = await createApplication(tools, {
          name,
          redirectUris: options.redirectUri,
        });
        return {
          json: { client_id: clientId, client_secret: clientSecret },
          text: listing(`Application "${name}" is registered. Save the secret: it is shown only once.`, {
            'client id': clientId,
            'client secret': clientSecret,
          }),
        };
      }),
    );
}

const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value];
