import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Chosen, chooseFilter } from '../clients/audiences/choose.ts';
import { charactersOf } from '../platform/characters.ts';
import type { Context } from '../platform/context.ts';
import type { Sql } from '../platform/database/database.ts';
import { isMissingRow } from '../platform/database/missing-row.ts';
import { isTooLarge } from '../platform/http/fields.ts';
import { momentOf } from '../platform/moment.ts';
import { whyRefused } from '../platform/outbound/outbound.ts';
import { type FieldMessages, Invalid, invalid, Refused } from '../platform/problem.ts';
import { checkAbTest } from './ab-test/check.ts';
import type { TestedMailingCreate } from './ab-test/schema.ts';
import { withList } from './arriving.ts';
import { checkContent } from './check-content.ts';
import { contentRow } from './content-row.ts';
import { finishOf } from './finish.ts';
import { type Line, normalIdentifier } from './identifiers.ts';
import { presentMailing } from './present.ts';
import { checkRules, firstMoment } from './rules.ts';
import { type ContentType, type Mailing, type MailingCreate, mostFiltersOfPage } from './schema.ts';
import { filtersAround, findMailing, type NewMailing, saveMailing } from './store.ts';

/** A mailing ready to be stored. */
export type Checked = Omit<NewMailing, 'project_id' | 'id'>;

/**
 * Checks a mailing, and stores nothing. Throws `Invalid` with every fault.
 * @param lines The identifiers of the array, if they have their own columns.
 */
export async function checkMailing(
  context: Pick<Context, 'sql' | 'clock' | 'outbound'>,
  projectId: string,
  body: TestedMailingCreate,
  lines: readonly Line[] = [],
): Promise<Checked> {
  const type = checkRules(body);
  const chosen = body.filter_chats ? await chooseFilter(context, projectId, body.filter_chats) : null;
  await checkFiles(context, body);
  const now = context.clock.now();
  const due_at = firstMoment(body, now);
  const hasColumns = lines.some(({ variables }) => variables !== null);
  const found = await checkContent(context, projectId, type, body, hasColumns);
  const said = await contentRow(context.sql, projectId, body, found);
  const ab_test = body.ab_test
    ? await checkAbTest(context, projectId, type, body, body.ab_test, hasColumns)
    : null;
  const about = aboutOf(body, type, found.topicId, chosen);
  const finish_by = finishOf(body, { ...about, due_at, ab_test }, now);
  return {
    ...about,
    ...said,
    ab_test,
    created_at: now,
    due_at,
    asks: null,
    tested_versions: null,
    finish_by,
  };
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

/** Stores a new mailing, and wakes the planner. */
export async function makeMailing(
  context: Context,
  projectId: string,
  id: string,
  checked: Checked,
  lines: readonly Line[],
): Promise<Mailing> {
  await save(context, { ...checked, project_id: projectId, id }, lines);
  context.wake.wake('planning');
  return made(context, projectId, id);
}

/**
 * Turns a draft into its final mailing, or changes one that waits for approval. Throws `Refused` for any other mailing.
 */
export async function completeDraft(
  context: Context,
  projectId: string,
  id: string,
  checked: Checked,
  lines: readonly Line[],
): Promise<Mailing> {
  const isSaved = await save(context, { ...checked, project_id: projectId, id }, lines);
  if (!isSaved)
    throw new Refused(
      'Only a draft can be changed, or a mailing without a list of identifiers before its approval and start.',
    );
  context.wake.wake('planning');
  return made(context, projectId, id);
}

/** The audience and the topic that it names may have been deleted since they were read. */
async function save(context: Context, mailing: NewMailing, lines: readonly Line[]): Promise<boolean> {
  const { sql } = context;
  await checkPage(sql, mailing);
  try {
    return await withList(context, mailing.project_id, lines, (list) => saveMailing(sql, mailing, list));
  } catch (error) {
    if (isMissingRow(error, 'mailings_audience')) throw invalid('filter_chats', 'The audience was deleted.');
    if (isMissingRow(error, 'mailings_topic')) throw invalid('topic', 'The topic was deleted.');
    throw error;
  }
}

/** Throws `Invalid` for a large filter among so many others that their page would keep the process busy. */
async function checkPage(sql: Sql, { project_id, id, filter_chats }: NewMailing): Promise<void> {
  if (!isTooLarge(filter_chats)) return;
  const others = await filtersAround(sql, project_id, id);
  if (others + charactersOf(JSON.stringify(filter_chats)) <= mostFiltersOfPage) return;
  throw invalid(
    'filter_chats',
    'The mailings around this one have too many large filters. Put a long list into customer_filter_array.',
  );
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

/** The columns beside the content. */
const aboutOf = (body: MailingCreate, type: ContentType, topicId: string | null, chosen: Chosen | null) => ({
  name: body.name,
  content_type: type,
  filter_chats: chosen?.given ?? null,
  audience_id: chosen?.audienceId ?? null,
  customer_filter_field: body.customer_filter_field ?? null,
  customer_filter_file: body.customer_filter_file ?? null,
  has_identifiers: (body.customer_filter_array ?? null) !== null,
  phone_numbers_file: body.phone_numbers_file ?? null,
  topic_id: topicId,
  origin: body.origin ?? 'system',
  planned_at: body.planned_at ? momentOf(body.planned_at) : null,
  regular_cron: body.regular_cron ?? null,
});
