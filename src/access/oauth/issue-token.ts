import type { Context } from '../../platform/context.ts';
import { newPair } from './pair.ts';
import type { TokenAnswer } from './schema.ts';
import { insertFamily } from './store.ts';

/**
 * Makes the tokens of a new family without a grant page, for the installation's administrator. Both ids must exist.
 */
export async function issueToken(
  { sql, clock, newId }: Pick<Context, 'sql' | 'clock' | 'newId'>,
  { projectId, applicationId }: { projectId: string; applicationId: string },
): Promise<TokenAnswer> {
  const now = clock.now();
  const { answer, stored } = newPair(now);
  await insertFamily(sql, { id: newId(), projectId, applicationId, createdAt: now }, stored);
  return answer;
}
