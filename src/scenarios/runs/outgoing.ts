import type { MessageKey } from '../../messaging/messages/message-key.ts';
import type { NewMessage } from '../../messaging/messages/queue-store.ts';
import type { Fill, Locked } from '../../messaging/messages/scenario-store.ts';
import type { Action, State } from '../state.ts';
import type { Turn } from './turn.ts';

/** The messages of a turn, as rows. */
export type Outgoing = {
  turn: Turn;
  /** The start message becomes the run's first message. The run begins in its chat once that was sent. */
  fill: Fill | null;
  rows: NewMessage[];
  /** The order of sending: each message and its next one. */
  links: (MessageKey & { next_id: string })[];
  /** The run's last message, before or of this turn. */
  lastId: string | null;
};

export type SentAction = Extract<Action, { type: 'message' }>;

/**
 * A turn with its messages' ids in order: codes are taken for a message before it exists. `kept`: codes of
 * steps that belong to the first one, like those in its text. It gives them back.
 */
export type Addressed = { turn: Turn; ids: readonly string[]; kept: State['codes'] };

export const sentActions = ({ actions }: Turn): SentAction[] =>
  actions.filter((action) => action.type === 'message');

const underWay: ReadonlySet<string> = new Set(['PENDING', 'IN_PROCESS']);

/** Each message waits until the one before it has ended, so that a client reads them in order. */
export function outgoingOf(
  { turn, ids, kept }: Addressed,
  locked: ReadonlyMap<string, Locked>,
  now: Date,
): Outgoing {
  const { run } = turn;
  const { project_id } = run;
  const sent = sentActions(turn).map((action, index) => ({ action, id: ids[index] ?? '' }));
  const [first, ...others] = sent;
  const fill = first && run.start_id === first.id ? fillOf(turn, first.action, first.id, kept) : null;
  const fresh = fill ? others : sent;
  const before = fill ? fill.id : run.last_message_id;
  const isUnderWay = underWay.has(locked.get(before ?? '')?.state ?? '');
  const rows: NewMessage[] = [];
  const links: Outgoing['links'] = [];
  let last = fill || isUnderWay ? before : null;
  for (const { action, id } of fresh) {
    rows.push(rowOf(turn, action, id, now, last !== null));
    if (last !== null) links.push({ project_id, id: last, next_id: id });
    last = id;
  }
  return { turn, fill, rows, links, lastId: sent.at(-1)?.id ?? run.last_message_id };
}

const fillOf = (
  { run: { project_id, channel_id } }: Turn,
  action: SentAction,
  id: string,
  kept: State['codes'],
): Fill => ({
  project_id,
  id,
  channel_id,
  rendered: { type: action.kind, ...contentOf(action) },
  promocodes: namedCodes({ ...kept, ...action.promocodes }),
});

/** In the form of the column `content`. */
const contentOf = ({ text, url, buttons }: SentAction) => ({
  text: text ?? undefined,
  url: url ?? undefined,
  buttons: buttons.length > 0 ? buttons : undefined,
});

export const isAny = (codes: State['codes']): boolean => Object.keys(codes).length > 0;

const namedCodes = (codes: State['codes']) => (isAny(codes) ? codes : null);

function rowOf({ run, state }: Turn, action: SentAction, id: string, now: Date, waits: boolean): NewMessage {
  return {
    id,
    project_id: run.project_id,
    chat_id: run.chat_id,
    channel_id: waits ? null : run.channel_id,
    source: 'scenario',
    content_type: action.kind,
    content: { ...contentOf(action), promocodes: namedCodes(action.promocodes) ?? undefined },
    is_force: run.is_forced && !state.isAnswered,
    created_at: now,
    lane: run.lane,
    due_at: waits ? null : now,
    state: 'PENDING',
    trace: run.trace,
  };
}
