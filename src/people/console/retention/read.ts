import type { Member } from '../../../access/auth/member.ts';
import { findLastChange, readRetention } from '../../../access/projects/retention-store.ts';
import type { Context } from '../../../platform/context.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { RetentionPage } from './schema.ts';

/** GET /console/api/retention/: how long the project keeps what. */
export const readProjectRetention = actionFor<Member>()({
  response: RetentionPage,
  handle: ({ context, principal: { projectId } }) => retentionOf(context, projectId),
});

export async function retentionOf(
  { sql, clock }: Pick<Context, 'sql' | 'clock'>,
  projectId: string,
): Promise<RetentionPage> {
  const { messages, files, events, attempts, audit, legal_hold, archives } = await readRetention(
    sql,
    projectId,
  );
  const change = await findLastChange(sql, projectId);
  return {
    messages,
    files,
    events,
    attempts,
    audit,
    legal_hold,
    archives,
    changed_by: change?.author_name ?? null,
    changed_at: change?.created_at.toISOString() ?? null,
    now: clock.now().toISOString(),
  };
}
