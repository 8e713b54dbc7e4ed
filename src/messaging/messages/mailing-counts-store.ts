import type { Fragment, Sql } from '../../platform/database/database.ts';

/**
 * The statistics of mailings move in the statement that moves their messages. These are statements for CTEs; the main
 * statement must read them, or they are left out.
 */

/** `moved` has `project_id`, `mailing_id` (null of what is no mailing's), `before` and `after` (states). */
export const countedMoves = (sql: Sql, moved: Fragment) => {
  const more = (place: number) =>
    sql`sum(messages * (
      (mailing_state_counts(after))[${place}::integer] - (mailing_state_counts(before))[${place}::integer]))`;
  return sql`
    select add_to_mailing_counts(
      project_id, mailing_id,
      array[0, ${more(1)}, ${more(2)}, ${more(3)}, ${more(4)}, ${more(5)}, 0, 0, 0]::integer[]
    )
    from (
      select project_id, mailing_id, before, after, count(*) as messages from ${moved} as moved
      where mailing_id is not null group by project_id, mailing_id, before, after
    ) as moves
    where mailing_state_counts(after) <> mailing_state_counts(before)
    group by project_id, mailing_id`;
};

/** `reacted` are the messages that have had this reaction for the first time. */
export const countedReactions = (sql: Sql, type: 'URL' | 'CLICK' | 'REPLY', reacted: Fragment) => sql`
  select add_to_mailing_counts(
    project_id, mailing_id,
    array[
      0, 0, 0, 0, 0, 0,
      ${type === 'CLICK' ? sql`count(*)` : sql`0`}, ${type === 'URL' ? sql`count(*)` : sql`0`},
      ${type === 'REPLY' ? sql`count(*)` : sql`0`}
    ]::integer[]
  )
  from ${reacted} as reacted
  where mailing_id is not null
  group by project_id, mailing_id`;

/** An expression. `difference` is an array of what is to be added to each number, in the order of the columns. */
export const addedCounts = (
  sql: Sql,
  { projectId, mailingId }: { projectId: string; mailingId: string },
  difference: Fragment,
) => sql`
  add_to_mailing_counts(${projectId}, ${mailingId}, ${difference})`;
