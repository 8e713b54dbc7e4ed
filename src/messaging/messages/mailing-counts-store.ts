import type { Fragment, Sql } from '../../platform/database/database.ts';

/**
 * The statistics of mailings change in the statement that moves their messages. These are statements for CTEs. The
 * main statement must read them, or PostgreSQL does not run them.
 */

/** Columns of messages that are moved, for `countedMoves`. */
export const reactionsOf = (sql: Sql) => sql`
  (messages.clicked_at is not null)::integer as clicked, (messages.jumped_at is not null)::integer as jumped,
  (messages.replied_at is not null)::integer as replied`;

/** An expression: whether a message of this state has failed. What its client did then does not count. */
export const hasFailed = (sql: Sql, state: Fragment) => sql`${state} in ('UNDELIVERED', 'ERROR')`;

/**
 * `moved` has `project_id`, `mailing_id` (null outside of mailings), `variant`, `before` and `after` (states), and
 * `reactionsOf` the messages.
 */
export const countedMoves = (sql: Sql, moved: Fragment) => {
  const more = (place: number) =>
    sql`sum(messages * (
      (mailing_state_counts(after))[${place}::integer] - (mailing_state_counts(before))[${place}::integer]))`;
  const lost = (reactions: Fragment) =>
    sql`-sum(case when ${hasFailed(sql, sql`after`)} then ${reactions} else 0 end)`;
  return sql`
    select add_to_mailing_counts(
      project_id, mailing_id, variant,
      array[
        0, ${more(1)}, ${more(2)}, ${more(3)}, ${more(4)}, ${more(5)},
        ${lost(sql`clicked`)}, ${lost(sql`jumped`)}, ${lost(sql`replied`)}
      ]::integer[]
    )
    from (
      select project_id, mailing_id, variant, before, after, count(*) as messages, sum(clicked) as clicked,
        sum(jumped) as jumped, sum(replied) as replied
      from ${moved} as moved
      where mailing_id is not null group by project_id, mailing_id, variant, before, after
    ) as moves
    where mailing_state_counts(after) <> mailing_state_counts(before)
    group by project_id, mailing_id, variant`;
};

/** `reacted` has the messages that have the reaction of this `type` for the first time. */
export const countedReactions = (sql: Sql, reacted: Fragment) => sql`
  select add_to_mailing_counts(
    project_id, mailing_id, variant,
    array[
      0, 0, 0, 0, 0, 0,
      count(*) filter (where type = 'CLICK'), count(*) filter (where type = 'URL'),
      count(*) filter (where type = 'REPLY')
    ]::integer[]
  )
  from ${reacted} as reacted
  where mailing_id is not null
  group by project_id, mailing_id, variant`;

/**
 * A statement that counts messages that wait until the end of quiet hours. Each of the `rows` is one, with its
 * `project_id`, `mailing_id` and `until`.
 */
export const countedWaits = (sql: Sql, rows: Fragment) => sql`
  insert into mailing_waits as kept (project_id, mailing_id, until, messages)
  select project_id, mailing_id, until, count(*) from ${rows} as waiting
  group by project_id, mailing_id, until order by mailing_id, until
  on conflict (project_id, mailing_id, until) do update set messages = kept.messages + excluded.messages`;

/** A statement that forgets the waits of a mailing that are over. */
export const endedWaits = (sql: Sql, mailings: Fragment, now: Date) => sql`
  delete from mailing_waits using ${mailings} as begun
  where mailing_waits.project_id = begun.project_id and mailing_id = begun.id and until <= ${now}`;

/** A statement that forgets all waits of mailings. */
export const forgottenWaits = (sql: Sql, mailings: Fragment) => sql`
  delete from mailing_waits using ${mailings} as released
  where mailing_waits.project_id = released.project_id and mailing_id = released.id`;

/**
 * An expression. `difference` is an array of the numbers to add to a variant, in the order of the columns. Outside of
 * A/B tests the variant is null.
 */
export const addedCounts = (
  sql: Sql,
  { projectId, mailingId }: { projectId: string; mailingId: string },
  { variant, difference }: { variant: Fragment; difference: Fragment },
) => sql`
  add_to_mailing_counts(${projectId}, ${mailingId}, ${variant}, ${difference})`;
