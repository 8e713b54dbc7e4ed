import { entryBy } from '../../clients/profiles/audit.ts';
import { changeProfile } from '../../clients/profiles/change-store.ts';
import { openSession } from '../../messaging/chats/sessions.ts';
import { findChat } from '../../messaging/chats/store.ts';
import type { MessageKey } from '../../messaging/messages/message-key.ts';
import { queueMessages } from '../../messaging/messages/queue-store.ts';
import { fillStarts, linkMessages, lockMessages } from '../../messaging/messages/scenario-store.ts';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { giveBack } from '../displaced-store.ts';
import { type Opening, putAside } from '../openings-store.ts';
import { holdRuns, type RunChange, saveRuns } from '../runs-store.ts';
import { beginInTurn } from '../succession-store.ts';
import { takeCodesFor } from './codes.ts';
import { type Outgoing, outgoingOf } from './outgoing.ts';
import { lockProfile } from './profile-store.ts';
import { cancelled, type Turn } from './turn.ts';

/**
 * Records turns in one transaction, all or none: their messages with codes, profile changes, opened sessions, and run
 * states. A lost lease writes nothing. A run whose last message was cancelled before sending, or was a
 * mailing's and did not reach the client, writes only its end. A run that has not begun is put aside where it waits
 * for a moment, or for its first message to be sent.
 */
export async function recordTurns(context: Context, turns: readonly Turn[]): Promise<void> {
  const { sql, clock, wake } = context;
  const now = clock.now();
  const written = await sql.begin((transaction) => write(context, transaction, turns, now));
  for (const { turn } of written) logFailure(context, turn);
  // The sending engine refuses the starts of runs that ended without a message.
  const sends = written.some(
    ({ turn, fill, rows }) => fill || rows.length > 0 || statusOf(turn) !== 'running',
  );
  if (sends) wake.wake('sending');
  if (!written.some(({ turn }) => turn.actions.some(({ type }) => type === 'operator'))) return;
  wake.wake('webhooks');
  wake.wake('live');
}

async function write(
  context: Context,
  transaction: Sql,
  turns: readonly Turn[],
  now: Date,
): Promise<Outgoing[]> {
  const runs = turns.map(({ run }) => run);
  const chats = await holdRuns(transaction, runs);
  const held = turns.filter(({ run }) => chats.get(run.chat_id)?.lease === run.lease);
  const locked = await lockMessages(transaction, held.flatMap(lastOf));
  const isOver = (turn: Turn) =>
    !turn.run.state?.isAnswered && lastOf(turn).some(({ id }) => locked.get(id)?.ends_run);
  const over = new Set(held.filter(isOver).map(({ run }) => run.id));

  const outgoing: Outgoing[] = [];
  for (const turn of held) {
    const living = over.has(turn.run.id) ? cancelled(turn) : turn;
    outgoing.push(outgoingOf(await takeCodesFor(context, transaction, living, now), locked, now));
  }
  const fills = outgoing.flatMap(({ fill }) => fill ?? []);
  const rows = outgoing.flatMap(({ rows }) => rows);
  const links = outgoing.flatMap(({ links }) => links);
  await fillStarts(transaction, fills, now);
  await queueMessages(transaction, rows);
  await linkMessages(transaction, links);
  for (const { turn } of outgoing.toSorted(byProfile)) await actOn(context, transaction, turn, now);
  const changes = outgoing.map((one) => changeOf(one, over.has(one.turn.run.id)));
  await saveRuns(transaction, changes, now);
  await putAside(transaction, outgoing.flatMap(openingOf));
  await giveBack(
    transaction,
    changes.filter(({ gives_back }) => gives_back),
    now,
  );
  const saysMore = ({ run, heard }: Turn) =>
    (chats.get(run.chat_id)?.unheard ?? 0) > (heard === null ? 0 : 1);
  const waiting = held.filter((turn, index) => saysMore(turn) || changes[index]?.gives_back);
  await beginInTurn(
    transaction,
    waiting.map(({ run }) => run),
    now,
  );
  return outgoing;
}

/** Every transaction locks profiles in this order. */
const byProfile = (one: Outgoing, other: Outgoing): number =>
  one.turn.facts.profile.uuid < other.turn.facts.profile.uuid ? -1 : 1;

/** The message from which the run continues: the start message until it is replaced, or its last one. */
function lastOf({ run: { project_id, start_id, last_message_id } }: Turn): MessageKey[] {
  const id = start_id ?? last_message_id;
  return id === null ? [] : [{ project_id, id }];
}

function logFailure({ log }: Context, { run, scenario, state }: Turn): void {
  if (state.at.kind !== 'failed') return;
  const { project_id: project, chat_id: chat, id } = run;
  const { reason } = state.at;
  log.warn({ project, chat, run: id, scenario: scenario.name, reason }, 'running: a scenario failed');
}

async function actOn(
  { newId, clock, wake, log }: Context,
  transaction: Sql,
  { run, scenario, actions }: Turn,
  now: Date,
): Promise<void> {
  for (const action of actions) {
    switch (action.type) {
      case 'message':
        break;
      case 'profile': {
        const change = {
          attrs: action.attributes,
          tags: { add: action.addTags, remove: action.removeTags },
        };
        const entry = entryBy({ type: 'scenario', name: scenario.name }, { newId, clock });
        let profileId = await lockProfile(transaction, run.project_id, run.chat_id);
        profileId ??= await lockProfile(transaction, run.project_id, run.chat_id);
        if (!profileId) break;
        const { tooLarge } = await changeProfile(transaction, run.project_id, profileId, change, entry);
        if (tooLarge !== null) log.warn({ run: run.id, tooLarge }, 'running: a profile has no room for more');
        break;
      }
      case 'operator': {
        const chat = await findChat(transaction, run.project_id, run.chat_id);
        const opening = { title: action.title, team: action.team ?? undefined };
        if (chat) await openSession({ sql: transaction, newId, wake }, chat, opening, now);
      }
    }
  }
}

/** A run that has not begun rests outside of its chat. */
function openingOf({ turn: { run, state, dueAt }, fill }: Outgoing): Opening[] {
  const isWaiting = state.at.kind === 'waiting' && state.at.for.what === 'time';
  if (run.start_id === null || !(fill || isWaiting)) return [];
  const { project_id, chat_id } = run;
  return [{ project_id, chat_id, message_id: run.start_id, due_at: fill ? null : dueAt }];
}

/** The start of a run that is put aside is no longer that of the chat's run, which ends without refusing it. */
function changeOf(one: Outgoing, isOver: boolean): RunChange {
  const { run, state, trail, heard, dueAt } = one.turn;
  const isAside = openingOf(one).length > 0;
  const status = statusOf(one.turn);
  const ends = isAside || status !== 'running';
  return {
    project_id: run.project_id,
    chat_id: run.chat_id,
    lease: run.lease,
    scenario_id: run.scenario_id,
    version: run.version,
    state,
    status,
    reason: state.at.kind === 'failed' ? state.at.reason : '',
    start_id: isAside ? null : run.start_id,
    last_message_id: one.lastId,
    trail: trail.map((move) => move.join(' ')),
    heard,
    due_at: dueAt,
    in_session: run.in_session,
    gives_back: run.displaces && ends && (run.start_id !== null || isOver),
  };
}

function statusOf({ state: { at } }: Turn): RunChange['status'] {
  return at.kind === 'ended' || at.kind === 'failed' ? at.kind : 'running';
}
