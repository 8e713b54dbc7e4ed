import type { Context } from '../context.ts';
import { currentSecret, openSecrets, rotated, sealSecrets } from '../events/secrets.ts';
import { NotFound } from '../lib/problem.ts';
import { lockSecrets, saveSecrets } from './store.ts';

/** Gives an endpoint a new signing secret and returns it; the old one goes on signing for a day. Throws `NotFound`. */
export function rotateSecret(
  { sql, clock, vault }: Context,
  { projectId, endpointId }: { projectId: string; endpointId: string },
): Promise<string> {
  return sql.begin(async (transaction) => {
    const sealed = await lockSecrets(transaction, projectId, endpointId);
    if (!sealed) throw new NotFound('Endpoint not found.');
    const secrets = rotated(openSecrets(vault, endpointId, sealed), clock.now());
    await saveSecrets(transaction, projectId, endpointId, sealSecrets(vault, endpointId, secrets));
    return currentSecret(secrets);
  });
}
