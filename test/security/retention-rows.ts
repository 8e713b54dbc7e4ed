import { keepForEver } from '../../src/access/projects/retention.ts';
import { setRetention } from '../../src/access/projects/retention-store.ts';
import { addRemoved } from '../../src/mailings/removed-store.ts';
import type { Context } from '../../src/platform/context.ts';
import { insertArchive } from '../../src/retention/archives-store.ts';

/** A project's rows about what it no longer keeps. */
export async function addRetentionRows(
  { sql, newId, clock }: Pick<Context, 'sql' | 'newId' | 'clock'>,
  projectId: string,
): Promise<void> {
  const now = clock.now();
  const author = { id: newId(), name: 'Olga' };
  const becomes = { ...keepForEver, messages: 120 };
  await setRetention(sql, { projectId, id: newId(), author, becomes, now });
  await insertArchive(sql, {
    project_id: projectId,
    table_name: 'messages',
    month: '200001',
    part: 1,
    row_count: 1,
    bytes: 1,
    sha256: 'none',
    is_sealed: true,
    made_at: now,
  });
  const mailings = await sql<
    { id: string }[]
  >`select id from mailings where project_id = ${projectId} limit 1`;
  await addRemoved(
    sql,
    mailings.map(({ id }) => ({
      project_id: projectId,
      mailing_id: id,
      platform: 'Telegram',
      planned: 0,
      sent: 0,
      delivered: 0,
      read: 0,
      undelivered: 0,
      cancelled: 0,
      clicked: 0,
      jumped_url: 0,
      replied: 0,
    })),
  );
}
