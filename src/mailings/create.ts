import type { Context } from '../context.ts';
import { parseFilter } from '../filters/parse.ts';
import { creation } from '../http/action.ts';
import { checkContent, type Found } from './check-content.ts';
import { type Block, blockOf, linesOfBlock, normalIdentifier } from './identifiers.ts';
import { linksIn } from './links.ts';
import { presentMailing } from './present.ts';
import { checkRules, contentTypeOf, firstMoment } from './rules.ts';
import { bodyLimit, type ContentType, Mailing, MailingCreate } from './schema.ts';
import { findMailing, findTracksLinks, insertMailing, type NewMailing } from './store.ts';

/** POST /api/partners/mailings/. Source: specification, endpoint 12; open points, section 5. */
export const createMailing = creation({
  name: 'createMailing',
  summary: 'Create an audience mailing',
  description:
    'It starts at once unless `planned_at` or `regular_cron` says otherwise. Several audiences are intersected; without any it is a draft that does not start.',
  body: MailingCreate,
  bodyLimit,
  response: Mailing,
  handle: async ({ context, principal: { projectId }, body, id }) => {
    const { sql, clock, wake } = context;
    const type = contentTypeOf(body);
    checkRules(body, type);
    if (body.filter_chats) parseFilter(body.filter_chats);
    const now = clock.now();
    const due_at = firstMoment(body, now);
    const found = await checkContent(context, projectId, type, body);
    const links = await trackedLinks(context, projectId, body.text ?? null);
    const mailing = {
      ...rowOf(body, type, found),
      links,
      project_id: projectId,
      id,
      created_at: now,
      due_at,
    };
    await insertMailing(sql, mailing, blocksOf(body));
    wake.wake('planning');
    return made(context, projectId, id);
  },
  recall: async ({ sql, clock }, { projectId }, id) => {
    const row = await findMailing(sql, projectId, id);
    return row && presentMailing(row, clock.now());
  },
});

async function made({ sql, clock }: Context, projectId: string, id: string): Promise<Mailing> {
  const row = await findMailing(sql, projectId, id);
  if (!row) throw new Error('a mailing that was just made is not there');
  return presentMailing(row, clock.now());
}

/** The identifiers in the body, as they are stored with whom they name where they can be one at all. */
function blocksOf({ customer_filter_field: field, customer_filter_array }: MailingCreate): Block[] {
  const lines = (customer_filter_array ?? []).map((identifier, index) => ({
    line: index + 1,
    identifier: (field && normalIdentifier(field, identifier)) ?? identifier,
    variables: null,
  }));
  const starts = Array.from(
    { length: Math.ceil(lines.length / linesOfBlock) },
    (_, index) => index * linesOfBlock,
  );
  return starts.map((start) => blockOf(lines.slice(start, start + linesOfBlock)));
}

async function trackedLinks({ sql }: Context, projectId: string, text: string | null): Promise<string[]> {
  const links = text === null ? [] : linksIn(text);
  return links.length > 0 && (await findTracksLinks(sql, projectId)) ? links : [];
}

const rowOf = (
  body: MailingCreate,
  type: ContentType,
  { scenario, template, variables }: Found,
): Omit<NewMailing, 'links' | 'project_id' | 'id' | 'created_at' | 'due_at'> => ({
  name: body.name,
  content_type: type,
  text: body.text ?? null,
  node_id: scenario?.id ?? null,
  node_name: scenario?.name ?? null,
  node_get_params: (body.node_get_params ?? []).map(({ name, value, type }) => ({
    name,
    value,
    type: type ?? 'string',
  })),
  template_whatsapp: template?.pid ?? null,
  template_body: template?.body ?? null,
  template_variables: variables,
  filter_chats: body.filter_chats ?? null,
  customer_filter_field: body.customer_filter_field ?? null,
  customer_filter_file: body.customer_filter_file ?? null,
  has_identifiers: (body.customer_filter_array ?? null) !== null,
  phone_numbers_file: body.phone_numbers_file ?? null,
  origin: body.origin ?? 'system',
  planned_at: body.planned_at ? new Date(body.planned_at) : null,
  regular_cron: body.regular_cron ?? null,
});
