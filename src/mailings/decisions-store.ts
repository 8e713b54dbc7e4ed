import type { Sql } from '../platform/database/database.ts';
import type { Counted } from './ab-test/decide.ts';
import { columns, isHeld, type LeasedMailing, type MailingRow } from './planner-store.ts';

export type Decision = {
  decided_at: Date;
  /** By variant. */
  counts: Counted[];
  leaders: number[];
  /** What the rest gets. Null while a person is asked. */
  variant: number | null;
  /** Who chose it, where a person did. */
  author_name: string | null;
  chosen_at: Date | null;
};

export async function findDecision(
  sql: Sql,
  projectId: string,
  mailingId: string,
): Promise<Decision | undefined> {
  const [row] = await sql<Decision[]>`
    select decided_at, counts, leaders, variant, author_name, chosen_at from mailing_decisions
    where project_id = ${projectId} and mailing_id = ${mailingId}`;
  return row;
}

/**
 * Stores the decision of a test, once. The planner looks again at once, or when a person has chosen. Undefined when the
 * lease is lost.
 */
export async function saveDecision(
  sql: Sql,
  held: LeasedMailing,
  { decided_at, counts, leaders, variant }: Pick<Decision, 'decided_at' | 'counts' | 'leaders' | 'variant'>,
): Promise<MailingRow | undefined> {
  const [row] = await sql<MailingRow[]>`
    with turn as (
      update mailings set due_at = ${variant === null ? null : decided_at}, lease = null
      where ${isHeld(sql, held)}
      returning *
    ),
    decided as (
      insert into mailing_decisions (project_id, mailing_id, decided_at, counts, leaders, variant)
      select project_id, id, ${decided_at}, ${sql.json(counts)}, ${leaders}, ${variant} from turn
      on conflict do nothing
    )
    select ${columns(sql)} from turn as mailings`;
  return row;
}

/**
 * Stores what a person chose for the rest, and wakes the planner's mailing. False if nobody is asked, or if the mailing
 * was stopped.
 */
export async function chooseVariant(
  sql: Sql,
  { projectId, mailingId }: { projectId: string; mailingId: string },
  choice: { variant: number; author_id: string; author_name: string | null; now: Date },
): Promise<boolean> {
  const rows = await sql`
    with held as (
      select project_id, id from mailings
      where project_id = ${projectId} and id = ${mailingId} and state = 'in_process'
      for update
    ),
    chosen as (
      update mailing_decisions set variant = ${choice.variant}, author_id = ${choice.author_id},
        author_name = ${choice.author_name}, chosen_at = ${choice.now}
      from held
      where mailing_decisions.project_id = held.project_id and mailing_id = held.id and variant is null
      returning mailing_decisions.project_id, mailing_id
    )
    update mailings set due_at = ${choice.now} from chosen
    where mailings.project_id = chosen.project_id and mailings.id = chosen.mailing_id
    returning mailings.id`;
  return rows.length === 1;
}
