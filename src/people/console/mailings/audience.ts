import { findDefaultCountry } from '../../../access/projects/store.ts';
import { chooseFilter } from '../../../clients/audiences/choose.ts';
import { findTopicNamed } from '../../../clients/consent/topics-store.ts';
import { contentTypesOf, platformsOf } from '../../../mailings/audience.ts';
import { type Caps, noCaps } from '../../../mailings/frequency-cap.ts';
import { linesOf } from '../../../mailings/make.ts';
import type { QuietEnds } from '../../../mailings/quiet-hours.ts';
import { contentTypeOf, hasAudience, hasNode } from '../../../mailings/rules.ts';
import type { Context } from '../../../platform/context.ts';
import { countRows } from '../../../platform/database/row-counts.ts';
import { evenlySpread, recipientsIn, type Seen, together } from './audience-parts.ts';
import { type Searched, searchEverybody, searchNamed } from './audience-search.ts';
import { clientsOfChats, type Group, type Part, type Question, randomProfiles } from './audience-store.ts';
import type { AudienceSize, MailingDraft } from './draft-schema.ts';

/** If time ran out, the groups are estimates of all recipients. */
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

/** The part of the time in which a search goes in order. The rest of the time is for a sample of those behind. */
const inOrder = 2 / 3;

const listAtOnce = 500;
const mostInSample = 2_000;

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
  const isOver = timer(patience, inOrder);
  const isAllOver = timer(patience, 1);
  const { seen, cursor, isWhole, atOnce } = await searchEverybody(
    sql,
    choice,
    (soFar) => isOver() || isEnough(soFar, patience),
  );
  if (isWhole) return exactly(seen, null);
  if (!isEstimated(patience)) return partly(seen, null, null);
  const sample = await randomProfiles(sql, choice.projectId, { after: cursor, most: mostInSample });
  const named = sample.map((id) => [id]);
  const ofSample = { ...choice, list: 'array' } as const;
  const found = await searchNamed(sql, ofSample, {
    field: 'UUID',
    named,
    atOnce: Math.min(atOnce, listAtOnce),
    isOver: isAllOver,
  });
  const others = (await countRows(sql, choice.projectId, 'profiles')) - seen.looked;
  return partly(seen, estimated(seen, found, others), null);
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
  const isOver = timer(patience, inOrder);
  const isAllOver = timer(patience, 1);
  const named =
    field === 'CHAT_UUID'
      ? await byClient(sql, choice.projectId, given)
      : given.map((identifier) => [identifier]);
  const { seen, count } = await searchNamed(sql, choice, {
    field,
    named,
    atOnce: listAtOnce,
    isOver: (soFar) => isOver() || isEnough(soFar, patience),
  });
  if (count >= named.length) return exactly(seen, given.length);
  if (!isEstimated(patience)) return partly(seen, null, given.length);
  const others = named.slice(count);
  const found = await searchNamed(sql, choice, {
    field,
    named: evenlySpread(others, mostInSample),
    atOnce: listAtOnce,
    isOver: isAllOver,
  });
  return partly(seen, estimated(seen, found, others.length), given.length);
}

/** All recipients, if the others are as those in the sample. Null without a sample. */
const estimated = (seen: Seen, { seen: sample, count }: Searched, others: number): Seen | null =>
  count === 0 ? null : together(seen, sample, Math.max(1, others / count));

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

/** Whether a share of the time is over, or the caller has left. */
function timer({ ms, isLeft }: Patience, share: number): () => boolean {
  const until = performance.now() + ms * share;
  return () => performance.now() > until || isLeft();
}

const isEnough = ({ groups }: Seen, { enough }: Patience): boolean =>
  enough !== null && recipientsIn(groups) >= enough;

/** Nobody reads an estimate who waits for so many recipients, or no longer waits. */
const isEstimated = ({ enough, isLeft }: Patience): boolean => enough === null && !isLeft();

const exactly = ({ groups, first }: Seen, identifiers: number | null): Found => ({
  size: {
    count: recipientsIn(groups),
    is_exact: true,
    about: null,
    identifiers,
    platforms: byPlatform(groups),
  },
  groups,
  first,
});

function partly(seen: Seen, all: Seen | null, identifiers: number | null): Found {
  const { groups } = all ?? seen;
  return {
    size: {
      count: recipientsIn(seen.groups),
      is_exact: false,
      about: all && recipientsIn(groups),
      identifiers,
      platforms: byPlatform(groups),
    },
    groups,
    first: seen.first,
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
