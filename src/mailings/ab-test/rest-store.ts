import type { Fragment, Sql } from '../../platform/database/database.ts';

/** The rest of a test's recipients waits until this moment, or until a person has chosen its variant: null. */
export type Rest = { until: string | null };

/** Of a row of `mailings` whose sample is sent: what its rest waits for. Null if nothing waits. */
export const restOf = (sql: Sql): Fragment => sql`
  case when state = 'in_process' and progress ->> 'part' = 'sample' and progress ->> 'decide_at' is not null then (
    select case
      when count(*) = 0 then
        jsonb_build_object('until', iso(to_timestamp((mailings.progress ->> 'decide_at')::float8 / 1000)))
      when bool_or(variant is null) then jsonb_build_object('until', null)
    end
    from mailing_decisions
    where mailing_decisions.project_id = mailings.project_id and mailing_id = mailings.id
  ) end`;
