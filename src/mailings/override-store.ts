import type { Sql } from '../platform/database/database.ts';

/** What a mailing may ignore, and why. */
export type NewOverride = {
  id: string;
  quiet_hours: boolean;
  cap: boolean;
  reason: string;
  author_id: string;
  author_name: string | null;
  created_at: Date;
};

/**
 * Lets a mailing ignore rules of its project, and keeps the reason. False when the mailing has ended. The planner of a
 * running mailing then releases the messages that wait.
 */
export async function saveOverride(
  sql: Sql,
  { projectId, mailingId }: { projectId: string; mailingId: string },
  override: NewOverride,
): Promise<boolean> {
  const { id, quiet_hours, cap, reason, author_id, author_name, created_at } = override;
  const saved = await sql`
    with allowed as (
      update mailings set
        ignores_quiet_hours = ignores_quiet_hours or ${quiet_hours}, ignores_cap = ignores_cap or ${cap},
        progress = progress || case when ${quiet_hours} and state = 'in_process' then '{"releasing": ""}' else '{}' end::jsonb
      where project_id = ${projectId} and id = ${mailingId} and state in ('planned', 'in_process')
      returning project_id, id
    )
    insert into mailing_overrides (
      project_id, mailing_id, id, quiet_hours, cap, reason, author_id, author_name, created_at
    )
    select project_id, id, ${id}, ${quiet_hours}, ${cap}, ${reason}, ${author_id}, ${author_name}, ${created_at}
    from allowed
    returning id`;
  return saved.length === 1;
}
