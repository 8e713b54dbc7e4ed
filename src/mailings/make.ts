import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseFilter } from '../clients/filters/parse.ts';
import type { Context } from '../platform/context.ts';
import { momentOf } from '../platform/moment.ts';
import { whyRefused } from '../platform/outbound/outbound.ts';
import { type FieldMessages, Invalid, Refused } from '../platform/problem.ts';
import { checkContent, type Found } from './check-content.ts';
import { type Block, blockOf, type Line, linesOfBlock, normalIdentifier } from './identifiers.ts';
import { linksIn } from './links.ts';
import { presentMailing } from './present.ts';
import { checkRules, firstMoment } from './rules.ts';
import type { ContentType, Mailing, MailingCreate } from './schema.ts';
import { findMailing, findTracksLinks, type NewMailing, saveMailing } from './store.ts';

/** A mailing ready to be stored. */
export type Checked = Omit<NewMailing, 'project_id' | 'id'>;

/**
 * Checks a mailing, and stores nothing. Throws `Invalid` with every fault.
 * @param lines The identifiers of the array, if they have their own columns.
 */
export async function checkMailing(
  context: Pick<Context, 'sql' | 'clock' | 'outbound'>,
  projectId: string,
  body: MailingCreate,
  lines: readonly Line[] = [],
): Promise<Checked> {
  const type = checkRules(body);
  if (body.filter_chats) parseFilter(body.filter_chats);
  await checkFiles(context, body);
  const now = context.clock.now();
  const due_at = firstMoment(body, now);
  const hasColumns = lines.some(({ variables }) => variables !== null);
  const found = await checkContent(context, projectId, type, body, hasColumns);
  const links = await trackedLinks(context, projectId, body.text ?? null);
  return { ...rowOf(body, type, found), links, created_at: now, due_at };
}

/** docs/contract.md, section 8: applies to every address that a user gives. */
async function checkFiles({ outbound }: Pick<Context, 'outbound'>, body: MailingCreate): Promise<void> {
  const problems: FieldMessages = {};
  for (const field of ['customer_filter_file', 'phone_numbers_file'] as const) {
    const url = body[field];
    const why = url ? await whyRefused(outbound, url) : undefined;
    if (why !== undefined) problems[field] = [why];
  }
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/** Checks and stores a mailing, and wakes the planner. Throws `Invalid` with every fault. */
export async function makeMailing(
  context: Context,
  projectId: string,
  id: string,
  body: MailingCreate,
  lines: readonly Line[],
): Promise<Mailing> {
  const checked = await checkMailing(context, projectId, body, lines);
  await saveMailing(context.sql, { ...checked, project_id: projectId, id }, blocksOf(lines));
  context.wake.wake('planning');
  return made(context, projectId, id);
}

/**
 * Turns a draft into its final mailing. Throws `Invalid` with every fault, and `Refused` when the mailing is not a
 * draft, or no longer.
 */
export async function completeDraft(
  context: Context,
  projectId: string,
  id: string,
  body: MailingCreate,
  lines: readonly Line[],
): Promise<Mailing> {
  const checked = await checkMailing(context, projectId, body, lines);
  const isSaved = await saveMailing(context.sql, { ...checked, project_id: projectId, id }, blocksOf(lines));
  if (!isSaved) throw new Refused('Only a draft can be changed.');
  context.wake.wake('planning');
  return made(context, projectId, id);
}

async function made({ sql, clock }: Context, projectId: string, id: string): Promise<Mailing> {
  const row = await findMailing(sql, projectId, id);
  if (!row) throw new Error('a mailing that was just made is not there');
  return presentMailing(row, clock.now());
}

const linesAtOnce = 500;

/**
 * The identifiers in the body, in normal form if they are valid.
 * @param country The country whose national phone numbers are accepted; null for none.
 */
export async function linesOf(
  { customer_filter_field: field, customer_filter_array }: MailingCreate,
  country: string | null,
): Promise<Line[]> {
  const lines: Line[] = [];
  for (const identifier of customer_filter_array ?? []) {
    // A hundred thousand phone numbers take a second and more, so other work runs in between.
    if (lines.length % linesAtOnce === linesAtOnce - 1) await nextTurn();
    lines.push({
      line: lines.length + 1,
      identifier: (field && normalIdentifier(field, identifier, country)) ?? identifier,
      variables: null,
    });
  }
  return lines;
}

function blocksOf(lines: readonly Line[]): Block[] {
  const starts = Array.from(
    { length: Math.ceil(lines.length / linesOfBlock) },
    (_, index) => index * linesOfBlock,
  );
  return starts.map((start) => blockOf(lines.slice(start, start + linesOfBlock)));
}

async function trackedLinks(
  { sql }: Pick<Context, 'sql'>,
  projectId: string,
  text: string | null,
): Promise<string[]> {
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
  planned_at: body.planned_at ? momentOf(body.planned_at) : null,
  regular_cron: body.regular_cron ?? null,
});
