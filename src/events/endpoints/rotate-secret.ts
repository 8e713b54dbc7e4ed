import type { Context } from '../../platform/context.ts';
import { NotFound } from '../../platform/problem.ts';
import { currentSecret, openSecrets, rotated, sealSecrets } from '../secrets.ts';
import { lockSecrets, saveSecrets } from './store.ts';

/** Gives an endpoint a new signing secret and returns it. The old one still signs for a day. Throws `NotFound`. */
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
