import type { AbTest } from '../src/mailings/ab-test/schema.ts';
import type { Sql } from '../src/platform/database/database.ts';
import { uuidv7 } from '../src/platform/id.ts';
import { linksIn } from '../src/platform/links.ts';
import { noon } from './seed.ts';

type MailingSeed = {
  text?: string;
  state?: string;
  tracked?: boolean;
  template_body?: string;
  template_variables?: Record<string, { type: 'GLOBAL'; value: string } | { type: 'FILE' }>;
};

/** A variant of an A/B test that is a text. */
export const textVariant = (
  share: number,
  text: string,
  links: string[] = [],
): AbTest['variants'][number] => ({
  share,
  text,
  links,
  node_id: null,
  node_name: null,
  node_get_params: [],
  template_whatsapp: null,
  template_body: null,
  template_variables: {},
});

/** A mailing in its first run, without a planner. */
export async function seedMailing(
  sql: Sql,
  projectId: string,
  {
    text = 'Hello',
    state = 'in_process',
    tracked = true,
    template_body,
    template_variables = {},
  }: MailingSeed = {},
): Promise<string> {
  const id = uuidv7(noon);
  await sql`
    insert into mailings (
      project_id, id, name, content_type, text, links, node_get_params, template_body, template_variables,
      has_identifiers, origin, created_at, state, run, started_at
    )
    values (
      ${projectId}, ${id}, 'Sale', 'TEXT', ${text}, ${tracked ? linksIn(text) : []}, '[]', ${template_body ?? null},
      ${sql.json(template_variables)}, false, 'system', ${noon}, ${state}, 1, ${noon}
    )`;
  return id;
}

type MessageSeed = {
  chat: string;
  content_type?: 'TEXT' | 'NODE' | 'WHATSAPP_TEMPLATE';
  content?: { variables?: Record<string, string>; promocodes?: Record<string, string> };
  is_force?: boolean;
  state?: string;
  due_at?: Date;
  variant?: number;
};

/** Issues a message's promo codes to its chat, each in a group of its own. */
async function seedCodes(
  sql: Sql,
  projectId: string,
  { id, chat, content }: Pick<MessageSeed, 'chat' | 'content'> & { id: string },
) {
  for (const [name, code] of Object.entries(content?.promocodes ?? {})) {
    const group = uuidv7(noon);
    await sql`insert into promocode_groups values (${projectId}, ${group}, ${name}, ${noon})`;
    await sql`
      insert into promocodes (
        project_id, id, group_id, code, status, issued_chat_id, issued_at, reserved_for, created_at, updated_at
      )
      values (${projectId}, ${uuidv7(noon)}, ${group}, ${code}, 'ISSUED', ${chat}, ${noon}, ${id}, ${noon}, ${noon})`;
  }
}

/** Messages as the planner queues them, included in the counts. Returns their ids in the same order. */
export async function seedMailingMessages(
  sql: Sql,
  projectId: string,
  mailingId: string,
  messages: readonly MessageSeed[],
): Promise<string[]> {
  const rows = messages.map((message) => ({
    content: {},
    content_type: 'TEXT',
    ...message,
    id: uuidv7(noon),
  }));
  for (const {
    id,
    chat,
    content,
    content_type,
    is_force = false,
    state = 'PENDING',
    due_at = noon,
    variant = null,
  } of rows) {
    await sql`
      with inserted as (
        insert into messages (
          project_id, id, chat_id, channel_id, direction, source, content_type, content, is_force, created_at, state,
          lane, due_at, mailing_id, mailing_run, variant
        )
        select project_id, ${id}, id, channel_id, 'out', 'mailing', ${content_type}, ${sql.json(content)}, ${is_force},
          ${noon}, ${state}, 1, ${due_at}, ${mailingId}, 1, ${variant}::smallint
        from chats where project_id = ${projectId} and id = ${chat}
      ),
      platforms as (
        insert into mailing_platforms as kept (project_id, mailing_id, platform, planned)
        select project_id, ${mailingId}, platform, 1 from chats where project_id = ${projectId} and id = ${chat}
        on conflict (project_id, mailing_id, platform) do update set planned = kept.planned + 1
      )
      select add_to_mailing_counts(${projectId}, ${mailingId}, ${variant}::smallint, array[1, 0, 0, 0, 0, 0, 0, 0, 0])`;
  }
  for (const row of rows) await seedCodes(sql, projectId, row);
  return rows.map(({ id }) => id);
}
