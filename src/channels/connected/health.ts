import type { Context } from '../../platform/context.ts';
import type { Adapter, Standing } from '../contract/adapter.ts';
import { CredentialsRefused } from '../contract/failure.ts';
import { adapterFor } from '../registry.ts';
import { type Channel, channelAddress, loadChannel } from './channels.ts';
import { clientOf } from './client.ts';
import {
  countSent,
  findTraffic,
  findUnasked,
  saveFound,
  saveTold,
  type Traffic,
  type Warning,
} from './health-store.ts';
import { visitChannels } from './visit-channels.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Credentials are about to lapse from then on. */
const soonMs = 14 * dayMs;

/** A queue that has not moved for this long is stuck. */
const patienceMs = 5 * minuteMs;
const failuresMs = 60 * minuteMs;

/** Fewer failures in an hour are usual. More of them are a warning from this share on. */
const fewFailures = 10;
const muchFailure = 0.3;

/** A message to one chat waits for the chat's own pause. This many waiting chats have another reason. */
const manyChats = 20;

export const soonAfter = (now: Date): Date => new Date(now.getTime() + soonMs);

const warning = (kind: Warning['kind'], more: Partial<Warning> = {}): Warning => ({
  kind,
  detail: '',
  at: null,
  count: 0,
  of: 0,
  ...more,
});

/** Asks the providers of all channels, each once a day, how the channels stand. */
export async function askStandings(context: Context): Promise<void> {
  const { sql, clock } = context;
  const unasked = await findUnasked(sql, new Date(clock.now().getTime() - dayMs));
  await visitChannels(unasked, (id) => askStanding(context, id));
}

/** No answer is no news: the provider is asked again in the next round. */
async function askStanding(context: Context, id: string): Promise<void> {
  const { sql, clock, log } = context;
  try {
    const channel = await loadChannel(context, id);
    const adapter = channel && adapterFor(channel.platform);
    if (!adapter) return;
    const { told, lapsesAt } = await warningsOf(context, adapter, channel);
    const before = await saveTold(sql, channel, { told, lapsesAt, askedAt: clock.now() });
    report(context, channel, before, told);
  } catch (error) {
    log.warn({ err: error, channel: id }, 'a channel’s provider could not be asked');
  }
}

type Told = { told: Warning[]; lapsesAt: Date | null };

async function warningsOf(context: Context, adapter: Adapter, channel: Channel): Promise<Told> {
  if (!adapter.standing) return { told: [], lapsesAt: null };
  const client = clientOf(context, adapter, channel, context.outbound);
  const address = channelAddress(context.config.publicUrl, channel);
  try {
    const standing = await adapter.standing(channel.settings, address, client, context.clock.now());
    return { told: warningsIn(standing), lapsesAt: standing.lapsesAt ?? null };
  } catch (error) {
    if (!(error instanceof CredentialsRefused)) throw error;
    return { told: [warning('refused', { detail: error.message })], lapsesAt: null };
  }
}

const warningsIn = ({ isRegistered, trouble }: Standing): Warning[] => [
  ...(isRegistered === false ? [warning('unregistered')] : []),
  ...(trouble ? [warning('trouble', { detail: trouble })] : []),
];

/** Looks at the queues and the failures of all channels. */
export async function watchTraffic(context: Context): Promise<void> {
  const { sql, clock } = context;
  const now = clock.now();
  const from = new Date(now.getTime() - failuresMs);
  const due = new Date(now.getTime() - patienceMs);
  const changed: { id: string; found: Warning[] }[] = [];
  for (const traffic of await findTraffic(sql, { from, due, now })) {
    const failing = await failingIn(context, traffic, from);
    const found = [...queueWarnings(traffic, due), ...failing];
    if (found.length > 0 || traffic.found.length > 0) changed.push({ id: traffic.id, found });
    report(context, traffic, traffic.found, found);
  }
  if (changed.length > 0) await saveFound(sql, changed);
}

/** A queue is older than its pace explains if nothing was claimed, or if far less was sent than is allowed. */
export function queueWarnings(traffic: Traffic, due: Date): Warning[] {
  const { rate, achieved, claimed_at, resume_at, oldest, chats, waiting, retried, retried_detail } = traffic;
  const at = oldest?.toISOString() ?? null;
  const isAskedToWait = resume_at > due;
  const found: Warning[] = [];
  if (oldest && !isAskedToWait && claimed_at <= due) found.push(warning('stuck', { at, count: waiting }));
  else if (oldest && !isAskedToWait && rate !== null && achieved < rate / 2 && chats >= manyChats) {
    found.push(warning('slow', { at, count: waiting }));
  }
  if (retried > 0 && retried * 5 >= waiting) {
    found.push(warning('retrying', { detail: retried_detail ?? '', count: retried, of: waiting }));
  }
  return found;
}

async function failingIn({ sql }: Context, traffic: Traffic, from: Date): Promise<Warning[]> {
  const { failed, failed_detail } = traffic;
  if (failed < fewFailures) return [];
  // A mailing makes its messages hours before the last of them is sent.
  const madeFrom = new Date(from.getTime() - dayMs);
  const of = failed + (await countSent(sql, traffic, { from, madeFrom }));
  if (failed / of < muchFailure) return [];
  return [warning('failing', { detail: failed_detail ?? '', count: failed, of })];
}

/** Writes new kinds of warnings to the log, and their end. */
function report(
  { log }: Pick<Context, 'log'>,
  { id, platform }: Pick<Channel, 'id' | 'platform'>,
  before: readonly Warning[],
  now: readonly Warning[],
): void {
  const isNew = ({ kind }: Warning): boolean => !before.some((earlier) => earlier.kind === kind);
  for (const found of now.filter(isNew)) {
    log.warn(
      { channel: id, platform, warning: found.kind },
      `a channel needs attention: ${sentenceOf(found)}`,
    );
  }
  if (before.length > 0 && now.length === 0) log.info({ channel: id, platform }, 'a channel is well again');
}

/** For the log and the command line. */
export function sentenceOf({ kind, detail, at, count, of }: Warning): string {
  switch (kind) {
    case 'refused':
      return `the provider refuses the credentials: ${detail}`;
    case 'unregistered':
      return 'the provider no longer calls our address';
    case 'trouble':
      return `the provider’s calls to our address fail: ${detail}`;
    case 'lapses':
      return `the credentials lapse at ${at}`;
    case 'stuck':
      return `${count} messages wait since ${at}, and none is being sent`;
    case 'slow':
      return `${count} messages wait since ${at}, and the channel sends less than half of what it may`;
    case 'retrying':
      return `${count} of ${of} waiting messages have failed several times: ${detail}`;
    case 'failing':
      return `${count} of ${of} messages of the last hour failed: ${detail}`;
  }
}

type Row = {
  state: 'active' | 'paused';
  told: readonly Warning[];
  found: readonly Warning[];
  lapses_at: Date | null;
};

/** All warnings of a channel. A paused channel sends nothing, so that its queue is no warning. */
export function warningsOfRow({ state, told, found, lapses_at }: Row, now: Date): Warning[] {
  const lapses = lapses_at !== null && lapses_at <= soonAfter(now);
  return [
    ...told,
    ...(lapses ? [warning('lapses', { at: lapses_at.toISOString() })] : []),
    ...(state === 'active' ? found : []),
  ];
}
