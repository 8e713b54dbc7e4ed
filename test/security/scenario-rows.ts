import type { Context } from '../../src/platform/context.ts';
import { setStarters } from '../../src/scenarios/starters.ts';

type Talking = { name: string; projectId: string; chatId: string; clientMessageId: string };

/** What starts a scenario, an event that no worker touches, a test, a draft that somebody has open, and an ended run with an unhandled message, which no worker touches. */
export async function addScenarioRows(
  context: Pick<Context, 'sql' | 'newId' | 'clock'>,
  { name, projectId, chatId, clientMessageId }: Talking,
): Promise<{ scenarioTestId: string; starterId: string }> {
  const { sql, newId, clock } = context;
  await setStarters(context, projectId, [{ keyword: `keyword-${name}`, scenario: `scenario-${name}` }]);
  const [starter] = await sql<
    [{ id: string }]
  >`select id from scenario_starters where project_id = ${projectId}`;
  await sql`
    insert into scenario_event_starters (project_id, id, scenario_id, kind, subject)
    select project_id, ${newId()}, id, 'tag_added', ${`hush-${name} tag`} from scenarios
    where project_id = ${projectId} and name = ${`scenario-${name}`}`;
  await sql`
    insert into scenario_event_starts (project_id, chat_id, scenario_id, params, due_at)
    select project_id, ${chatId}, id, ${sql.json({ hush: `hush-${name} event` })}, '9999-01-01' from scenarios
    where project_id = ${projectId} and name = ${`scenario-${name}`}`;
  await sql`
    insert into scenario_date_starts (project_id, scenario_id, attribute, profile_id, year)
    select project_id, id, ${`hush-${name} date`}, ${newId()}, 2026 from scenarios
    where project_id = ${projectId} and name = ${`scenario-${name}`}`;
  const runId = newId();
  const memory = sql.json({ hush: `hush-${name} parameter` });
  await sql`
    insert into scenario_runs (
      project_id, chat_id, id, scenario_id, version, params, state, status, reason, lane, created_at)
    select project_id, ${chatId}, ${runId}, id, version, ${memory}, ${memory}, 'failed', ${`hush-${name} reason`}, 0,
      ${clock.now()}
    from scenarios where project_id = ${projectId} and name = ${`scenario-${name}`}`;
  await sql`
    insert into scenario_mail (project_id, chat_id, run_id, message_id)
    values (${projectId}, ${chatId}, ${runId}, ${clientMessageId})`;
  await sql`
    insert into scenario_openings (project_id, message_id, chat_id, id, params, state, lane, path, created_at)
    values (${projectId}, ${newId()}, ${chatId}, ${newId()}, ${memory}, ${memory}, 0, ${[`hush-${name} move`]},
      ${clock.now()})`;
  await sql`
    insert into scenario_sent (project_id, message_id, due_at) values (${projectId}, ${newId()}, '9999-01-01')`;
  const scenarioTestId = newId();
  await sql`
    insert into scenario_tests (project_id, id, scenario_id, name, script, created_at)
    select project_id, ${scenarioTestId}, id, ${`test-${name}`}, ${sql.json({ lines: [{ client: `hush-${name} line` }] })},
      ${clock.now()}
    from scenarios where project_id = ${projectId} and name = ${`scenario-${name}`}`;
  await sql`
    insert into scenario_drafts (project_id, scenario_id, revision, version, source, saved_by, saved_at)
    select project_id, id, 1, version, ${`hush-${name} draft`}, ${`hush-${name} person`}, ${clock.now()}
    from scenarios where project_id = ${projectId} and name = ${`scenario-${name}`}`;
  await sql`
    insert into scenario_editors (project_id, scenario_id, operator_id, name, seen_at)
    select project_id, id, ${newId()}, ${`hush-${name} editor`}, ${clock.now()}
    from scenarios where project_id = ${projectId} and name = ${`scenario-${name}`}`;
  await sql`
    insert into scenario_former_names (project_id, name, scenario_id)
    select project_id, ${`hush-${name} former`}, id
    from scenarios where project_id = ${projectId} and name = ${`scenario-${name}`}`;
  await sql`
    insert into scenario_counts (project_id, scenario_id, day, step, way, count)
    select project_id, id, '2026-11-20', ${`hush-${name} step`}, '', 1
    from scenarios where project_id = ${projectId} and name = ${`scenario-${name}`}`;
  return { scenarioTestId, starterId: starter.id };
}
