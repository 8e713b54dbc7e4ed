import type { Sql } from '../../platform/database/database.ts';
import type { ListName } from '../audience.ts';
import { type Block, separator } from '../identifiers.ts';
import { columns, type Held, isHeld, type MailingRow } from './mailing-store.ts';
import { mostProblems } from './rules.ts';

export type ProblemLine = { line: number; identifier: string; reason: string };

/** Deletes the lines that an earlier run, or an earlier attempt of this one, has read from the files. */
export async function forgetFiles(sql: Sql, held: Held): Promise<MailingRow | undefined> {
  const [row] = await sql<MailingRow[]>`
    with turn as (
      update mailings set progress = progress || '{"problems": 0}' where ${isHeld(sql, held)} returning *
    ),
    lines as (
      delete from mailing_identifiers using turn
      where mailing_identifiers.project_id = turn.project_id and mailing_id = turn.id and list <> 'array'
    ),
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
  { project_id, id, run }: Held,
): Promise<ProblemLine | undefined> {
  const [row] = await sql<ProblemLine[]>`
    select line, identifier, reason from mailing_problems
    where project_id = ${project_id} and mailing_id = ${id} and run = ${run} order by list, line limit 1`;
  return row;
}

/** For a mailing that will not run again. */
export async function forgetLines(sql: Sql, { project_id, id }: Held): Promise<void> {
  await sql`delete from mailing_identifiers where project_id = ${project_id} and mailing_id = ${id}`;
}

/** Stores lines of a file, and notes its bad lines. Undefined when the lease is lost. */
export async function addLines(
  sql: Sql,
  held: Held,
  list: ListName,
  { block, problems, leaseUntil }: { block: Block; problems: readonly ProblemLine[]; leaseUntil: Date },
): Promise<MailingRow | undefined> {
  const problemsBefore = held.progress.problems ?? 0;
  const [row] = await sql<MailingRow[]>`
    with turn as (
      update mailings set
        progress = progress || ${sql.json({ problems: problemsBefore + problems.length })}::jsonb, due_at = ${leaseUntil}
      where ${isHeld(sql, held)}
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
      insert into mailing_problems (project_id, mailing_id, run, list, line, identifier, reason)
      select project_id, id, run, ${list}, problem.line, problem.identifier, problem.reason
      from turn, jsonb_to_recordset(${sql.json(problems.slice(0, Math.max(0, mostProblems - problemsBefore)))})
        as problem (line integer, identifier text, reason text)
      on conflict do nothing
    )
    select ${columns(sql)} from turn as mailings`;
  return row;
}
