import { type Command, Option } from 'commander';
import type { CreatedUser } from '../access/operators/create-user.ts';
import type { MailOutcome } from '../access/operators/mails.ts';
import { Refused } from '../platform/problem.ts';
import { readSecret } from './read-secret.ts';
import { listing, reporting } from './report.ts';
import type { Tools } from './tools.ts';

type Options = { project: string; role: 'admin' | 'operator' };
type CreateOptions = Options & { owner?: boolean };

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('manage people who sign in');
  addCreate(user);
  addInvite(user);
  addResetPassword(user);
  addOwner(user);
}

const withPlace = (command: Command): Command =>
  command
    .requiredOption('--project <uuid>', 'the project')
    .addOption(
      new Option('--role <role>', 'the role of the user in the project')
        .choices(['admin', 'operator'])
        .makeOptionMandatory(),
    );

function addCreate(user: Command): void {
  withPlace(user.command('create <email>').description('create a user, or add an existing user to a project'))
    .requiredOption(
      '--password-stdin',
      'read the password from standard input, so that no log or process list shows it',
    )
    .option('--owner', 'make the user an owner of the installation; owners may create projects')
    .action(
      reporting(async (tools, email: string, { project, role, owner }: CreateOptions) => {
        const { knownProject } = await import('./known.ts');
        const { createUser } = await import('../access/operators/create-user.ts');
        const { id: projectId, name } = await knownProject(tools, project);
        const user = await createUser(tools, { projectId, email, role, password: await readSecret() });
        if (owner) await makeOwner(tools, user.email, true);
        return {
          json: { uuid: user.id, email: user.email },
          text: `${user.email} can now sign in to "${name}" as ${role}.`,
          notes: notesOnUser(user),
        };
      }),
    );
}

function addInvite(user: Command): void {
  withPlace(
    user
      .command('invite <email>')
      .description('add a person to a project and print a link to choose a password'),
  ).action(
    reporting(async (tools, typed: string, { project, role }: Options) => {
      const { knownProject } = await import('./known.ts');
      const { inviteUser } = await import('../access/operators/invite-user.ts');
      const { id: projectId, name } = await knownProject(tools, project);
      const invited = { projectId, projectName: name, email: typed, role };
      const { id, email, link, mail } = await inviteUser(tools, invited);
      return {
        json: { uuid: id, email, link, mail },
        text:
          link === null
            ? `${email} already has a password and can now sign in to "${name}".`
            : listing(`Send this link to ${email}. It works once, within a day.`, { link }),
        notes: notesOn(mail, email),
      };
    }),
  );
}

function addResetPassword(user: Command): void {
  user
    .command('reset-password <email>')
    .description('print a link with which a user chooses a new password')
    .action(
      reporting(async (tools, typed: string) => {
        const { knownUser, resetPassword } = await import('../access/operators/reset-password.ts');
        const user = await knownUser(tools, typed);
        const { email } = user;
        const { link, mail } = await resetPassword(tools, user);
        return {
          json: { email, link, mail },
          text: listing(`Send this link to ${email}. It works once, within an hour.`, { link }),
          notes: notesOn(mail, email),
        };
      }),
    );
}

function addOwner(user: Command): void {
  user
    .command('owner <email>')
    .description('make a user an owner of the installation; owners may create projects')
    .option('--revoke', 'remove the owner role instead')
    .action(
      reporting(async (tools, typed: string, { revoke = false }: { revoke?: boolean }) => {
        const email = await makeOwner(tools, typed, !revoke);
        return {
          json: { email, owner: !revoke },
          text: `${email} ${revoke ? 'no longer owns' : 'owns'} this installation.`,
        };
      }),
    );
}

async function makeOwner(tools: Tools, typed: string, isOwner: boolean): Promise<string> {
  const { knownUser } = await import('../access/operators/reset-password.ts');
  const { setOwner } = await import('../access/auth/operators-store.ts');
  const { id, email } = await knownUser(tools, typed);
  if (await setOwner(tools.sql, id, isOwner)) return email;
  throw new Refused(
    `${email} is not confirmed. The user must first open a link from: patchbay user reset-password ${email}`,
  );
}

function notesOnUser({ email, isNew, awaitsProof }: CreatedUser): string[] {
  if (isNew) return [];
  const known = `${email} is an existing user and keeps the earlier password.`;
  if (!awaitsProof) return [known];
  return [
    `${known} Another project created the account. The user gets access here after opening a link from: patchbay user reset-password ${email}`,
  ];
}

function notesOn(mail: MailOutcome, email: string): string[] {
  switch (mail) {
    case 'sent':
      return [`The link was also mailed to ${email}.`];
    case 'failed':
      return [`The mail to ${email} failed. The reason is in the log above.`];
    case 'off':
      return [];
  }
}
