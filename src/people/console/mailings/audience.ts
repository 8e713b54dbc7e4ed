import { findDefaultCountry } from '../../../access/projects/store.ts';
import { chooseFilter } from '../../../clients/audiences/choose.ts';
import { findTopicNamed } from '../../../clients/consent/topics-store.ts';
import { TooMuchWork } from '../../../clients/filters/work.ts';
import { contentTypesOf, platformsOf } from '../../../mailings/audience.ts';
import { atOnceAfterFailure, atOnceAtFirst, nextAtOnce, searched } from '../../../mailings/chunk-size.ts';
import { type Caps, noCaps } from '../../../mailings/frequency-cap.ts';
import { linesOf } from '../../../mailings/make.ts';
import type { QuietEnds } from '../../../mailings/quiet-hours.ts';
import { contentTypeOf, hasAudience, hasNode } from '../../../mailings/rules.ts';
import type { Context } from '../../../platform/context.ts';
import { countRows } from '../../../platform/database/row-counts.ts';
import { invalid } from '../../../platform/problem.ts';
import {
  clientsOfChats,
  type Group,
  type Part,
  partOfEverybody,
  partOfList,
  type Question,
} from './audience-store.ts';
import type { AudienceSize, MailingDraft } from './draft-schema.ts';

export type Found = { size: AudienceSize; groups: Group[]; first: Part['first'] };

export type Patience = {
  /** The search ends after this time with a partial result: others use the same database. */
  ms: number;
  /** The search ends at this number of recipients. Null searches all. */
  enough: number | null;
  /** Whether the caller no longer waits for the answer. */
  isLeft: () => boolean;
};

const noRules = { quiet: null, caps: noCaps };

const listAtOnce = 500;

/**
 * Finds the recipients of a mailing if it began now, with the statement that plans mailings. It works in parts that
 * block nobody. Throws `Invalid` for an invalid filter.
 * @param rules Of the time when the mailing begins. Those that are null are not looked at.
 */
export async function findAudience(
  context: Pick<Context, 'sql'>,
  projectId: string,
  draft: MailingDraft,
  patience: Patience,
  { quiet, caps }: { quiet: QuietEnds | null; caps: Caps } = noRules,
): Promise<Found> {
  const filter = draft.filter_chats
    ? (await chooseFilter(context, projectId, draft.filter_chats)).filter
    : null;
  if (draft.customer_filter_file || draft.phone_numbers_file) return nothingFound(null);
  if (!hasAudience({ ...draft, name: '' })) return nothingFound(0);
  const isList = (draft.customer_filter_array ?? null) !== null;
  const saying = {
    content_type: contentTypeOf({ ...draft, name: '' }) ?? 'TEXT',
    node_id: hasNode({ ...draft, name: '' }) ? 0 : null,
    phone_numbers_file: null,
  };
  const choice: Question = {
    projectId,
    list: isList ? 'array' : null,
    filter,
    topicId: draft.topic ? ((await findTopicNamed(context.sql, projectId, draft.topic))?.id ?? null) : null,
    platforms: platformsOf(saying),
    contentTypes: contentTypesOf(saying),
    besides: null,
    quiet,
    caps,
  };
  return isList ? inList(context, choice, draft, patience) : inAll(context, choice, patience);
}

async function inAll({ sql }: Pick<Context, 'sql'>, choice: Question, patience: Patience): Promise<Found> {
  const sum = summing();
  const isOver = timer(patience, sum);
  let cursor: string | null = null;
  let isWhole = false;
  let atOnce = atOnceAtFirst;
  do {
    const begunAt = performance.now();
    const { part, fitting }: Fitting = await fittingPart(atOnce, (most) =>
      partOfEverybody(sql, choice, cursor, most),
    );
    sum.add(part);
    isWhole = part.looked < fitting;
    cursor = part.cursor;
    atOnce = nextAtOnce(fitting, performance.now() - begunAt, searched);
  } while (!isWhole && !isOver());
  const { looked, recipients } = sum.totals();
  const profiles = isWhole ? looked : await countRows(sql, choice.projectId, 'profiles');
  return sum.found({
    isExact: isWhole,
    about: looked > 0 ? Math.round((recipients / looked) * profiles) : null,
    identifiers: null,
  });
}

async function inList(
  { sql }: Pick<Context, 'sql'>,
  choice: Question,
  draft: MailingDraft,
  patience: Patience,
): Promise<Found> {
  const field = draft.customer_filter_field ?? 'UUID';
  const country = await findDefaultCountry(sql, choice.projectId);
  const lines = await linesOf({ ...draft, name: '' }, country);
  const given = [...new Set(lines.map(({ identifier }) => identifier))];
  const isOver = timer(patience, null);
  const named =
    field === 'CHAT_UUID'
      ? await byClient(sql, choice.projectId, given)
      : given.map((identifier) => [identifier]);
  const sum = summing();
  let at = 0;
  let atOnce = listAtOnce;
  while (at < named.length && !isOver()) {
    const begunAt = performance.now();
    const { part, fitting } = await fittingPart(atOnce, (most) =>
      partOfList(sql, choice, field, named.slice(at, at + most).flat()),
    );
    sum.add(part);
    at += fitting;
    atOnce = nextAtOnce(fitting, performance.now() - begunAt, searched);
  }
  const { looked, recipients } = sum.totals();
  return sum.found({
    isExact: at >= named.length,
    about: looked > 0 ? Math.round((recipients / looked) * named.flat().length) : null,
    identifiers: given.length,
  });
}

type Fitting = { part: Part; fitting: number };

/** Reads this many, or as many as the filter's budget allows. Throws `Invalid` if one exceeds it. */
async function fittingPart(atOnce: number, look: (atOnce: number) => Promise<Part>): Promise<Fitting> {
  try {
    return { part: await look(atOnce), fitting: atOnce };
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error;
    if (atOnce > 1) return fittingPart(atOnceAfterFailure(atOnce), look);
    throw invalid(
      'filter_chats',
      'The filter looks at too much of one client: use fewer or shorter conditions.',
    );
  }
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The chats, grouped by client: one of each group gets the message. */
async function byClient(
  sql: Context['sql'],
  projectId: string,
  given: readonly string[],
): Promise<string[][]> {
  const chats = given.filter((identifier) => uuidForm.test(identifier));
  const found: { id: string; profile_id: string }[] = [];
  for (let at = 0; at < chats.length; at += listAtOnce) {
    found.push(...(await clientsOfChats(sql, projectId, chats.slice(at, at + listAtOnce))));
  }
  const clients = Map.groupBy(found, ({ profile_id }) => profile_id);
  return [...clients.values()].map((theirs) => theirs.map(({ id }) => id));
}

export const recipientsIn = (groups: readonly Group[]): number =>
  groups.reduce((sum, { recipients }) => sum + recipients, 0);

/** The ratio of all recipients to those that were found. */
export const scaleOf = ({ count, about }: AudienceSize): number => (about && count ? about / count : 1);

type Sum = ReturnType<typeof summing>;

function timer({ ms, enough, isLeft }: Patience, sum: Sum | null): () => boolean {
  const until = performance.now() + ms;
  return () =>
    performance.now() > until ||
    isLeft() ||
    (enough !== null && sum !== null && sum.totals().recipients >= enough);
}

/** Adds up the parts of an audience. */
function summing() {
  const groups = new Map<string, Group>();
  const first: Part['first'] = [];
  let looked = 0;
  const totals = () => ({
    looked,
    recipients: recipientsIn([...groups.values()]),
  });
  return {
    totals,
    add(part: Part): void {
      looked += part.looked;
      first.push(...part.first.slice(0, 3 - first.length));
      for (const group of part.groups) {
        const key = [group.channel_id, group.content_type, group.timezone, group.quiet_until].join();
        const known = groups.get(key);
        groups.set(key, {
          ...group,
          recipients: group.recipients + (known?.recipients ?? 0),
          capped: group.capped + (known?.capped ?? 0),
        });
      }
    },
    found(end: { isExact: boolean; about: number | null; identifiers: number | null }): Found {
      const all = [...groups.values()];
      const size = {
        count: totals().recipients,
        is_exact: end.isExact,
        about: end.isExact ? null : end.about,
        identifiers: end.identifiers,
        platforms: byPlatform(all),
      };
      return { size, groups: all, first };
    },
  };
}

function byPlatform(groups: readonly Group[]): AudienceSize['platforms'] {
  const alike = Map.groupBy(groups, ({ platform }) => platform);
  return [...alike]
    .map(([platform, of]) => ({ platform, count: recipientsIn(of) }))
    .sort((one, other) => other.count - one.count);
}

const nothingFound = (count: number | null): Found => ({
  size: { count, is_exact: count !== null, about: null, identifiers: null, platforms: [] },
  groups: [],
  first: [],
});
