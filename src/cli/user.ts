import { text } from 'node:stream/consumers';
import { type Command, Option } from 'commander';
import type { CreatedUser } from '../access/operators/create-user.ts';
import type { MailOutcome } from '../access/operators/mails.ts';
import { Refused } from '../platform/problem.ts';
import { listing, reporting } from './report.ts';
import type { Tools } from './tools.ts';

type Options = { project: string; role: 'admin' | 'operator' };
type CreateOptions = Options & { owner?: boolean };

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('people who sign in');
  addCreate(user);
  addInvite(user);
  addResetPassword(user);
  addOwner(user);
}

const withPlace = (command: Command): Command =>
  command
    .requiredOption('--project <uuid>', 'the project')
    .addOption(
      new Option('--role <role>', 'what the user may do')
        .choices(['admin', 'operator'])
        .makeOptionMandatory(),
    );

function addCreate(user: Command): void {
  withPlace(user.command('create <email>').description('make a user, or take an existing one, for a project'))
    .requiredOption('--password-stdin', 'read the password from standard input, so that it shows up nowhere')
    .option('--owner', 'make them an owner of the installation, who may make projects')
    .action(
      reporting(async (tools, email: string, { project, role, owner }: CreateOptions) => {
        const { knownProject } = await import('./known.ts');
        const { createUser } = await import('../access/operators/create-user.ts');
        const { id: projectId, name } = await knownProject(tools, project);
        const user = await createUser(tools, { projectId, email, role, password: await readPassword() });
        if (owner) await makeOwner(tools, user.email, true);
        return {
          json: { uuid: user.id, email: user.email },
          text: `${user.email} may now sign in to "${name}" as ${role}.`,
          notes: notesOnUser(user),
        };
      }),
    );
}

function addInvite(user: Command): void {
  withPlace(
    user
      .command('invite <email>')
      .description('put somebody into a project; prints a link to choose a password'),
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
            ? `${email} has a password already, and may now sign in to "${name}" with it.`
            : listing(`Send this to ${email}. It works once, within a day.`, { link }),
        notes: notesOn(mail, email),
      };
    }),
  );
}

function addResetPassword(user: Command): void {
  user
    .command('reset-password <email>')
    .description('print a link by which a user chooses another password')
    .action(
      reporting(async (tools, typed: string) => {
        const { knownUser, resetPassword } = await import('../access/operators/reset-password.ts');
        const user = await knownUser(tools, typed);
        const { email } = user;
        const { link, mail } = await resetPassword(tools, user);
        return {
          json: { email, link, mail },
          text: listing(`Send this to ${email}. It works once, within an hour.`, { link }),
          notes: notesOn(mail, email),
        };
      }),
    );
}

function addOwner(user: Command): void {
  user
    .command('owner <email>')
    .description('make a user an owner of the installation, who may make projects')
    .option('--revoke', 'they are one no longer')
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
    `Nobody has proved yet that ${email} is theirs: let them follow a link of patchbay user reset-password ${email} first.`,
  );
}

function notesOnUser({ email, isNew, awaitsProof }: CreatedUser): string[] {
  if (isNew) return [];
  const known = `${email} was a user already, and the password is still the earlier one.`;
  if (!awaitsProof) return [known];
  return [
    `${known} Another project made the account: they get in here once they have followed a link of: patchbay user reset-password ${email}`,
  ];
}

function notesOn(mail: MailOutcome, email: string): string[] {
  switch (mail) {
    case 'sent':
      return [`This was mailed to ${email}, too.`];
    case 'failed':
      return [`The mail to ${email} failed; the reason is in the log above.`];
    case 'off':
      return [];
  }
}

/** Drops the line end that `echo` and editors add. */
const readPassword = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '');
