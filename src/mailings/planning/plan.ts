import { templatePlatforms } from '../../channels/registry.ts';
import { TooMuchWork } from '../../clients/filters/work.ts';
import {
  countAvailable,
  findGroupsNamed,
  type NamedGroup,
} from '../../clients/promocodes/reservation-store.ts';
import { openChatsByPhone } from '../../messaging/chats/open-many.ts';
import type { Context } from '../../platform/context.ts';
import { Invalid } from '../../platform/problem.ts';
import { type Audience, audienceOf, codesOf, contentTypesOf } from '../audience.ts';
import { atOnceAtFirst, fewer, nextAtOnce } from '../chunk-size.ts';
import { type LeasedMailing, type MailingRow, writeStep } from '../planner-store.ts';
import { type Chunk, countChunk, planChunk } from './chunk-store.ts';
import { unknownNumbers } from './page-store.ts';
import { rulesNow } from './project-rules.ts';
import type { Draw } from './recipients-store.ts';
import { CannotRun, leaseEnd } from './rules.ts';

/**
 * Plans the next chunk. If codes are taken, first counts whether there are enough. Throws `TooMuchWork` for a filter that
 * looks at too much of one recipient.
 */
export async function plan(
  context: Context,
  held: LeasedMailing,
  parkedFor: string | null = null,
): Promise<MailingRow | undefined> {
  const begunAt = performance.now();
  const isCounting = typeof held.progress.needed === 'number';
  const now = context.clock.now();
  const chunk: Chunk = {
    audience: readAudience(held),
    atOnce: held.progress.at_once ?? atOnceAtFirst,
    groups: await groupsOf(context, held),
    now,
    leaseUntil: leaseEnd(now),
    parkedFor,
    draw: isCounting ? null : drawOf(held),
    ...(await rulesNow(context, held, now)),
  };
  if (chunk.audience.list === 'phones') await openChats(context, held, chunk.atOnce);
  const row = await (isCounting ? count : queue)(context, held, chunk).catch((error: unknown) => {
    if (error instanceof TooMuchWork && chunk.atOnce > 1) return null;
    throw error;
  });
  if (row === null) return withAtOnce(held, fewer(chunk.atOnce));
  const atOnce = nextAtOnce(chunk.atOnce, performance.now() - begunAt - listMs(held));
  return row && withAtOnce(row, atOnce);
}

/** What an A/B test plans now. Null outside of one. */
function drawOf({ ab_test: test, progress: { part = null, variant = 1 } }: LeasedMailing): Draw | null {
  if (test === null) return null;
  if (test.sample === null) return { part: 'all', test };
  return part === 'rest' ? { part, variant } : { part: 'sample', test, percent: test.sample.percent };
}

/** Throws `CannotRun` for a stored filter that cannot be read: no attempt will read it. */
function readAudience(held: LeasedMailing): Audience {
  try {
    return audienceOf(held);
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    const reason = [error.fields.filter_chats].flat()[0];
    throw new CannotRun(`The filter cannot be read: ${reason}`);
  }
}

const withAtOnce = (row: MailingRow, atOnce: number): MailingRow => ({
  ...row,
  progress: { ...row.progress, at_once: atOnce },
});

/** The time that a page of named chats spends on the rest of its list, however short the page is. */
const listMs = ({ customer_filter_field, progress: { lines = 0 } }: LeasedMailing): number =>
  customer_filter_field === 'CHAT_UUID' ? lines / 1_000 : 0;

async function queue(
  { sql, wake }: Context,
  held: LeasedMailing,
  chunk: Chunk,
): Promise<MailingRow | undefined> {
  const row = await planChunk(sql, held, chunk);
  if (row && row.made > 0) {
    const { asTemplate, elsewhere } = contentTypesOf(held);
    if (asTemplate !== 'NODE' || elsewhere !== 'NODE') wake.wake('sending');
    if (elsewhere === 'NODE') wake.wake('running');
  }
  return row;
}

async function count(context: Context, held: LeasedMailing, chunk: Chunk): Promise<MailingRow | undefined> {
  const row = await countChunk(context.sql, held, chunk);
  if (!row || row.progress.cursor !== null) return row;
  await checkCodes(context, held, chunk, row.progress.needed ?? 0);
  return writeStep(
    context.sql,
    { ...row, lease: held.lease },
    { progress: { needed: null }, dueAt: chunk.leaseUntil },
  );
}

async function groupsOf({ sql }: Context, held: LeasedMailing): Promise<NamedGroup[]> {
  const names = codesOf(held);
  if (names.length === 0) return [];
  const groups = await findGroupsNamed(sql, held.project_id, names);
  const missing = names.find((name) => !groups.some((group) => group.name === name));
  if (missing !== undefined) throw new CannotRun(`There is no promo code group "${missing}" any more.`);
  return groups;
}

async function checkCodes(
  { sql }: Context,
  held: LeasedMailing,
  { groups, now }: Chunk,
  needed: number,
): Promise<void> {
  for (const { id, name } of groups) {
    const available = await countAvailable(sql, held.project_id, id, now, needed);
    if (available < needed) {
      throw new CannotRun(
        `The promo code group "${name}" has ${available} codes left, and the mailing needs ${needed}. Nothing was sent.`,
      );
    }
  }
}

/** Makes chats and profiles for the next numbers that have none. */
async function openChats(context: Context, held: LeasedMailing, atOnce: number): Promise<void> {
  const numbers = await unknownNumbers(context.sql, held, atOnce);
  if (numbers.length === 0) return;
  const actor = { type: 'mailing', name: held.name } as const;
  const opened = await openChatsByPhone(context, held.project_id, templatePlatforms, numbers, actor);
  if (!opened) throw new CannotRun(`The project has no ${templatePlatforms.join(' or ')} channel.`);
}
