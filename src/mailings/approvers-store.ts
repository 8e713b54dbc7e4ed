import type { Approver } from '../access/operators/mails.ts';
import type { Fragment, Sql } from '../platform/database/database.ts';

/** A statement for a CTE: notes that the administrators are to be asked about each of the `mailings`, each once. */
export const askedApprovers = (sql: Sql, mailings: Fragment, authorId: string, now: Date): Fragment => sql`
  insert into mailing_approvers (project_id, mailing_id, operator_id, asked_at)
  select asked.project_id, asked.id, operators.id, ${now}
  from ${mailings} as asked join operators on operators.project_id = asked.project_id
  where role = 'admin' and operators.id <> ${authorId}
  on conflict do nothing`;

/** A person who is asked about a mailing, with the tries that failed. */
export type Asked = {
  project_id: string;
  mailing_id: string;
  operator_id: string;
  tries: number;
  /** Null if the mailing waits no more, or if the person may not approve it now. They may be asked again. */
  approver: Approver | null;
};

/** Takes the person who is due for longest. They are taken once, unless they are put back. Undefined if nobody is due. */
export async function takeApprover(sql: Sql, now: Date): Promise<Asked | undefined> {
  const rows = await sql<Asked[]>`
    with due as (
      select project_id, mailing_id, operator_id, tries from mailing_approvers
      where told_at is null and coalesce(again_at, asked_at) <= ${now}
      order by coalesce(again_at, asked_at) limit 1
      for update skip locked
    ),
    approver as (
      select mailings.project_id, projects.name as project, mailings.id as mailing_id, mailings.name as mailing,
        users.email, (
          select author_name from mailing_approvals
          where mailing_approvals.project_id = mailings.project_id and mailing_approvals.mailing_id = mailings.id
            and kind = 'asked'
          order by id desc limit 1
        ) as author
      from due
      join mailings on mailings.project_id = due.project_id and mailings.id = mailing_id
      join projects on projects.id = due.project_id
      join operators on operators.project_id = due.project_id and operators.id = operator_id
      join users on users.id = user_id
      where state = 'planned' and approval = 'awaited' and author_id <> operator_id
        and role = 'admin' and password_hash is not null and not awaits_proof and not awaits_consent
    ),
    told as (
      update mailing_approvers set told_at = ${now} from due
      where mailing_approvers.project_id = due.project_id and mailing_approvers.mailing_id = due.mailing_id
        and mailing_approvers.operator_id = due.operator_id and exists (select from approver)
    ),
    idle as (
      delete from mailing_approvers using due
      where mailing_approvers.project_id = due.project_id and mailing_approvers.mailing_id = due.mailing_id
        and mailing_approvers.operator_id = due.operator_id and not exists (select from approver)
    )
    select due.*, to_jsonb(approver) as approver from due left join approver on true`;
  return rows[0];
}

/** Puts back a person who was taken, and who has got no mail. They are due again at that time. */
export async function putBackApprover(
  sql: Sql,
  { project_id, mailing_id, operator_id }: Asked,
  againAt: Date,
): Promise<void> {
  await sql`
    update mailing_approvers set told_at = null, tries = tries + 1, again_at = ${againAt}
    where project_id = ${project_id} and mailing_id = ${mailing_id} and operator_id = ${operator_id}`;
}
