import type { Fragment, Sql } from '../../platform/database/database.ts';

/**
 * A CTE named `mailing_counted` that brings the statistics of mailings up to date with the messages that the same
 * statement moves. `changed` is where their rows are found, with the columns `project_id`, `mailing_id` (null of what
 * is no mailing's), `before` and `after` (states). The main statement must read `mailing_counted`, or it is left out.
 */
export const mailingCountedCte = (sql: Sql, changed: Fragment) => {
  const more = (place: number) =>
    sql`sum(messages * (
      (mailing_state_counts(after))[${place}::integer] - (mailing_state_counts(before))[${place}::integer]))`;
  return sql`
    mailing_counted as (
      select add_to_mailing_counts(
        project_id, mailing_id,
        array[0, ${more(1)}, ${more(2)}, ${more(3)}, ${more(4)}, ${more(5)}, 0, 0, 0]::integer[]
      )
      from (
        select project_id, mailing_id, before, after, count(*) as messages from ${changed}
        where mailing_id is not null group by project_id, mailing_id, before, after
      ) as moves
      where mailing_state_counts(after) <> mailing_state_counts(before)
      group by project_id, mailing_id
    )`;
};

/** The same for the reactions of `reacted`, rows that have reacted in this way for the first time. */
export const mailingReactedCte = (sql: Sql, type: 'URL' | 'CLICK' | 'REPLY', reacted: Fragment) => sql`
  mailing_counted as (
    select add_to_mailing_counts(
      project_id, mailing_id,
      array[
        0, 0, 0, 0, 0, 0,
        ${type === 'CLICK' ? sql`count(*)` : sql`0`}, ${type === 'URL' ? sql`count(*)` : sql`0`},
        ${type === 'REPLY' ? sql`count(*)` : sql`0`}
      ]::integer[]
    )
    from ${reacted}
    where mailing_id is not null
    group by project_id, mailing_id
  )`;
