import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import { reporting } from './report.ts';

type Options = { project: string; role: 'admin' | 'operator' };

export function addUserCommands(program: Command): void {
  program
    .command('user')
    .description('people who sign in')
    .command('create <email>')
    .description('make a user, or take an existing one, for a project')
    .requiredOption('--project <uuid>', 'the project')
    .addOption(
      new Option('--role <role>', 'what the user may do')
        .choices(['admin', 'operator'])
        .makeOptionMandatory(),
    )
    .requiredOption('--password-stdin', 'read the password from standard input, so that it shows up nowhere')
    .action(
      reporting(async (tools, email: string, { project, role }: Options) => {
        const { knownProject } = await import('./known.ts');
        const { createUser } = await import('../operators/create-user.ts');
        const { id: projectId, name } = await knownProject(tools, project);
        const user = await createUser(tools, { projectId, email, role, password: await readPassword() });
        return {
          json: { uuid: user.id, email: user.email },
          text: `${user.email} may now sign in to "${name}" as ${role}.`,
          notes: user.isNew
            ? []
            : [`${email} was a user already, and the password is still the earlier one.`],
        };
      }),
    );
}

/** Without the end of line that `echo` and editors put behind it. */
const readPassword = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '');
