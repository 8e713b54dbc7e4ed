import type { Sql } from '../../../platform/database/database.ts';

/** An object with a name, and the JSON in which it may name a tag or an attribute. */
export type Naming = { name: string; json: unknown };

/** More than people plan at a time. */
const most = 1_000;

/** The mailings that still have to find their recipients, or render their texts. */
export function openMailings(sql: Sql, projectId: string): Promise<Naming[]> {
  return sql<Naming[]>`
    select name, jsonb_build_array(filter_chats, text, template_variables, node_get_params) as json from mailings
    where project_id = ${projectId} and state in ('planned', 'in_process')
    order by id desc limit ${most}`;
}

/** The current scenarios, each with the tags and attributes that start it, as its steps would name them. */
export function presentScenarios(sql: Sql, projectId: string): Promise<Naming[]> {
  return sql<Naming[]>`
    select name, jsonb_build_array(definition, array(
      select jsonb_build_object(case when kind in ('attribute', 'date') then 'attribute' else 'add_tags' end, subject)
      from scenario_event_starters starters
      where starters.project_id = scenarios.project_id and starters.scenario_id = scenarios.id
        and kind not in ('promocode', 'audience')
    )) as json
    from scenarios
    join scenario_versions kept on kept.project_id = scenarios.project_id and kept.scenario_id = scenarios.id
      and kept.version = scenarios.version
    where scenarios.project_id = ${projectId} order by name limit ${most}`;
}
