import type { Context } from '../platform/context.ts';
import { requireRoom } from '../platform/limits/room-store.ts';
import type { Secrets } from './request.ts';
import type { Scenario } from './schema.ts';
import { secretsNamedIn } from './secret-names.ts';
import { findSecrets, saveSecret } from './secrets-store.ts';
import type { State } from './state.ts';

/** A value that is moved to another name or project does not open there. */
const purposeOf = (projectId: string, name: string): string => `project.secret ${projectId} ${name}`;

/** Stores a secret for a project's scenarios, for one host. Throws `Refused` when there are too many. */
export async function setSecret(
  { sql, vault, clock }: Pick<Context, 'sql' | 'vault' | 'clock'>,
  projectId: string,
  { name, host, value }: { name: string; host: string; value: string },
): Promise<void> {
  const sealed = vault.seal(value, purposeOf(projectId, name));
  const row = { name, host: host.toLowerCase(), sealed, setAt: clock.now() };
  await sql.begin(async (transaction) => {
    const [known] = await findSecrets(transaction, projectId, [name]);
    if (!known) await requireRoom(transaction, 'project_secrets', projectId);
    await saveSecret(transaction, projectId, row);
  });
}

/** The secrets for a run's pending request. Most requests need none, and cost no query. */
export async function secretsFor(
  { sql, vault }: Pick<Context, 'sql' | 'vault'>,
  projectId: string,
  scenario: Scenario,
  { at }: State,
): Promise<Secrets> {
  const step = at.kind === 'waiting' ? scenario.steps.find(({ id }) => id === at.step) : undefined;
  const names = step?.type === 'request' ? secretsNamedIn(JSON.stringify([step.headers, step.body])) : [];
  if (names.length === 0) return new Map();
  const rows = await findSecrets(sql, projectId, names);
  return new Map(
    rows.map(({ name, host, sealed }) => [
      name,
      { host, value: vault.open(sealed, purposeOf(projectId, name)) },
    ]),
  );
}
