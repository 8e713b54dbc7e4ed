import type { Sql } from '../platform/database/database.ts';
import type { EventKind } from './starter-kinds.ts';

/** The event that starts a scenario. The `subject` of a message is its keyword, which is empty for the first one. */
export type Trigger = { kind: 'message' | EventKind; subject: string; value: string };

export type StarterRow = Trigger & {
  id: string;
  /** The name of the subject. */
  label: string;
  scenario_id: number;
  scenario: string;
  is_enabled: boolean;
};

/** Messages first. */
export function listStarters(sql: Sql, projectId: string): Promise<StarterRow[]> {
  return sql<StarterRow[]>`
    select starters.*, scenarios.name as scenario from (
      select id, 'message' as kind, keyword as subject, '' as value, keyword as label, scenario_id, is_enabled
      from scenario_starters where project_id = ${projectId}
      union all
      select starters.id, kind, subject, value, coalesce(groups.name, audiences.name, subject), scenario_id, is_enabled
      from scenario_event_starters starters
      left join promocode_groups groups on groups.project_id = ${projectId} and kind = 'promocode'
        and groups.id::text = subject
      left join audiences on audiences.project_id = ${projectId} and kind = 'audience' and audiences.id::text = subject
      where starters.project_id = ${projectId}
    ) starters
    join scenarios on scenarios.project_id = ${projectId} and scenarios.id = scenario_id
    order by kind <> 'message', kind, subject, value`;
}

export type NewKeyword = { id: string; keyword: string; pattern: string | null; scenarioId: number };

/** Returns false when the keyword starts a scenario already. */
export async function insertKeyword(sql: Sql, projectId: string, starter: NewKeyword): Promise<boolean> {
  const { id, keyword, pattern, scenarioId } = starter;
  const count = await sql`
    insert into scenario_starters (project_id, id, keyword, pattern, scenario_id)
    values (${projectId}, ${id}, ${keyword}, ${pattern}, ${scenarioId})
    on conflict (project_id, keyword) do nothing`.count();
  return count > 0;
}

type NewEventStarter = { id: string; kind: EventKind; subject: string; value: string; scenarioId: number };

/** Returns false when the event starts a scenario already. */
export async function insertEventStarter(
  sql: Sql,
  projectId: string,
  { id, kind, subject, value, scenarioId }: NewEventStarter,
): Promise<boolean> {
  const count = await sql`
    insert into scenario_event_starters (project_id, id, kind, subject, value, scenario_id)
    values (${projectId}, ${id}, ${kind}, ${subject}, ${value}, ${scenarioId})
    on conflict on constraint scenario_event_starters_once do nothing`.count();
  return count > 0;
}

export async function hasPromocodeGroup(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const rows = await sql`
    select from promocode_groups where project_id = ${projectId} and id::text = ${id}`;
  return rows.length > 0;
}

export async function hasAudience(sql: Sql, projectId: string, id: string): Promise<boolean> {
  const rows = await sql`select from audiences where project_id = ${projectId} and id::text = ${id}`;
  return rows.length > 0;
}

/** The keyword starts this scenario from now on, and no other one. */
export async function saveKeyword(
  sql: Sql,
  projectId: string,
  { id, keyword, pattern, scenarioId }: NewKeyword,
): Promise<void> {
  await sql`
    insert into scenario_starters (project_id, id, keyword, pattern, scenario_id)
    values (${projectId}, ${id}, ${keyword}, ${pattern}, ${scenarioId})
    on conflict (project_id, keyword) do update set scenario_id = excluded.scenario_id, is_enabled = true`;
}

export async function deleteKeyword(sql: Sql, projectId: string, keyword: string): Promise<void> {
  await sql`delete from scenario_starters where project_id = ${projectId} and keyword = ${keyword}`;
}

type Key = { scenarioId: number; id: string };

/** Whether the starter existed. */
export async function enableStarter(
  sql: Sql,
  projectId: string,
  { scenarioId, id }: Key,
  isEnabled: boolean,
): Promise<boolean> {
  const isIt = sql`project_id = ${projectId} and scenario_id = ${scenarioId} and id = ${id}`;
  const [row] = await sql<[{ found: boolean }]>`
    with of_messages as (update scenario_starters set is_enabled = ${isEnabled} where ${isIt} returning id),
    of_events as (update scenario_event_starters set is_enabled = ${isEnabled} where ${isIt} returning id)
    select exists (select from of_messages union all select from of_events) as found`;
  return row.found;
}

/** Whether the starter existed. */
export async function deleteStarter(sql: Sql, projectId: string, { scenarioId, id }: Key): Promise<boolean> {
  const isIt = sql`project_id = ${projectId} and scenario_id = ${scenarioId} and id = ${id}`;
  const [row] = await sql<[{ found: boolean }]>`
    with of_messages as (delete from scenario_starters where ${isIt} returning id),
    of_events as (delete from scenario_event_starters where ${isIt} returning id)
    select exists (select from of_messages union all select from of_events) as found`;
  return row.found;
}
