import type { Sql } from '../../../platform/database/database.ts';
import type { Choices } from './draft-schema.ts';

/** More than a person picks from by hand. */
const most = 1_000;

/** The project's parts for a mailing, by name. Platforms are those with a channel. */
export async function findChoices(sql: Sql, projectId: string): Promise<Choices> {
  const names = (table: 'tags' | 'attributes' | 'promocode_groups' | 'topics' | 'audiences') => sql`
    array(select name from ${sql(table)} where project_id = ${projectId} order by name limit ${most})`;
  const [row] = await sql<[Choices]>`
    select
      coalesce((
        select jsonb_agg(found order by name) from (
          select id, name from scenarios where project_id = ${projectId} order by name limit ${most}
        ) as found
      ), '[]') as scenarios,
      coalesce((
        select jsonb_agg(found order by pid) from (
          select pid, body, variables from templates
          where project_id = ${projectId} and approval = 'approved' order by pid limit ${most}
        ) as found
      ), '[]') as templates,
      ${names('promocode_groups')} as promocode_groups, ${names('tags')} as tags, ${names('attributes')} as attributes,
      ${names('topics')} as topics, ${names('audiences')} as audiences,
      array(select distinct platform from channels where project_id = ${projectId} order by platform) as platforms`;
  return row;
}
