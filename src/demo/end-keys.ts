import { replaceSecret } from '../access/oauth/applications-store.ts';
import { setBotKeyRevoked } from '../access/projects/store.ts';
import type { Context } from '../platform/context.ts';
import { randomToken, sha256 } from '../platform/secrets/secret.ts';
import { takeEndedKeys } from './store.ts';

/** Ends the keys of a demo whose day is over. The application then has an unknown secret. */
export async function endDemoKeys({ sql, clock }: Pick<Context, 'sql' | 'clock'>): Promise<void> {
  const now = clock.now();
  await sql.begin(async (transaction) => {
    const ended = await takeEndedKeys(transaction, now);
    if (!ended) return;
    await setBotKeyRevoked(transaction, ended.project_id, ended.bot_key_id, now);
    await replaceSecret(transaction, ended.application_id, sha256(randomToken()));
  });
}
