import type { Fragment, Sql } from '../platform/database/database.ts';
import type { ListName } from './audience.ts';
import { type Block, separator } from './identifiers.ts';
import { columns, isHeld, type LeasedMailing, type MailingRow, steppedMailing } from './planner-store.ts';

export type ProblemLine = { line: number; identifier: string; reason: string };

/** The listed lines of a run that reach no one. All of them are counted. */
const mostProblems = 1_000;

/** How many more lines are listed. */
const roomFor = ({ progress }: LeasedMailing): number => Math.max(0, mostProblems - (progress.problems ?? 0));

/** A statement for a CTE: deletes the lines of these mailings' files. `mailings` have `project_id` and `id`. */
export const forgottenLines = (sql: Sql, mailings: Fragment) => sql`
  delete from mailing_identifiers using ${mailings} as mailing
  where mailing_identifiers.project_id = mailing.project_id and mailing_id = mailing.id and list <> 'array'`;

/** A statement for a CTE: appends lines of a `turn` that reach no one to the list. */
export const notedProblems = (
  sql: Sql,
  held: LeasedMailing,
  list: ListName | 'profiles',
  { turn, problems }: { turn: Fragment; problems: Fragment },
) => sql`
  insert into mailing_problems (project_id, mailing_id, run, list, line, identifier, reason)
  select turn.project_id, turn.id, turn.run, ${list}, problem.line, problem.identifier, problem.reason
  from ${turn} as turn, ${problems} as problem
  order by line limit ${roomFor(held)}
  on conflict do nothing`;

/** Deletes the lines that an earlier run, or an earlier attempt of this one, has read from the files. */
export async function forgetFiles(sql: Sql, held: LeasedMailing): Promise<MailingRow | undefined> {
  const [row] = await sql<MailingRow[]>`
    with turn as (
      update mailings set progress = progress || '{"problems": 0}' where ${isHeld(sql, held)} returning *
    ),
    lines as (${forgottenLines(sql, sql`turn`)}),
    problems as (
      delete from mailing_problems using turn
      where mailing_problems.project_id = turn.project_id and mailing_id = turn.id and mailing_problems.run = turn.run
    )
    select ${columns(sql)} from turn as mailings`;
  return row;
}

/** The first line of the run that reaches no one. Undefined if every line reaches someone. */
export async function firstProblem(
  sql: Sql,
  { project_id, id, run }: LeasedMailing,
): Promise<ProblemLine | undefined> {
  const [row] = await sql<ProblemLine[]>`
    select line, identifier, reason from mailing_problems
    where project_id = ${project_id} and mailing_id = ${id} and run = ${run} order by list, line limit 1`;
  return row;
}

/** For a mailing that will not run again. */
export async function forgetLines(sql: Sql, { project_id, id }: LeasedMailing): Promise<void> {
  await sql`delete from mailing_identifiers where project_id = ${project_id} and mailing_id = ${id}`;
}

/** Stores lines of a file, and notes its bad lines. Undefined when the lease is lost. */
export async function addLines(
  sql: Sql,
  held: LeasedMailing,
  list: ListName,
  { block, problems, leaseUntil }: { block: Block; problems: readonly ProblemLine[]; leaseUntil: Date },
): Promise<MailingRow | undefined> {
  const problemsBefore = held.progress.problems ?? 0;
  const [row] = await sql<MailingRow[]>`
    with turn as (
      ${steppedMailing(sql, held, {
        progress: sql`${sql.json({ problems: problemsBefore + problems.length })}::jsonb`,
        leaseUntil,
      })}
      returning *
    ),
    lines as (
      insert into mailing_identifiers (project_id, mailing_id, list, last_line, lines, identifiers, variables)
      select project_id, id, ${list}, ${block.last_line}, ${block.lines},
        -- One text is read many times faster than an array.
        string_to_array(${block.identifiers.join(separator)}, ${separator}),
        ${block.variables && sql.json(block.variables)}
      from turn where ${block.identifiers.length > 0}
    ),
    noted as (
      ${notedProblems(sql, held, list, {
        turn: sql`turn`,
        problems: sql`(
          select * from jsonb_to_recordset(${sql.json(problems.slice(0, roomFor(held)))}) as given (line integer, identifier text, reason text)
        )`,
      })}
    )
    select ${columns(sql)} from turn as mailings`;
  return row;
}
