import { findGroupsNamed, reserveAnew, takeCodes } from '../../clients/promocodes/reservation-store.ts';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/database.ts';
import { advance } from '../engine.ts';
import type { State } from '../state.ts';
import { type Addressed, isAny, sentActions } from './outgoing.ts';
import { dueOf, type Turn } from './turn.ts';

/**
 * Takes the promo codes that a turn needs, in the transaction that queues its messages, and continues the turn. A
 * code in a text belongs to its message, and is given back with it. So does a code that a step keeps directly before a
 * start's first message. Any other code that a step keeps is never given back.
 */
export async function takeCodesFor(
  { newId }: Pick<Context, 'newId'>,
  transaction: Sql,
  turn: Turn,
  now: Date,
): Promise<Addressed> {
  const { run, scenario, facts } = turn;
  const ids: string[] = [];
  const idOf = (place: number): string => {
    while (ids.length <= place) ids.push((ids.length === 0 ? run.start_id : null) ?? newId());
    return ids[place] ?? newId();
  };
  const isFirst = (sent: number): boolean => run.start_id !== null && sent === 0;
  let current = turn;
  let kept: State['codes'] = {};
  for (let at = current.state.at; at.kind === 'waiting' && at.for.what === 'codes'; at = current.state.at) {
    const {
      step,
      for: { groups },
    } = at;
    const isKept = scenario.steps.find(({ id }) => id === step)?.type === 'promocode';
    const sent = sentActions(current).length;
    const owner = isKept && !isFirst(sent) ? newId() : idOf(sent);
    const codes = await take(transaction, run, groups, owner, now);
    if (isKept && isFirst(sent)) kept = { ...kept, ...byThemselves(codes) };
    const { state, actions } = advance(
      scenario,
      current.state,
      { type: 'promocodes', codes },
      { now, facts, isOpening: run.start_id !== null },
    );
    current = { ...current, state, actions: [...current.actions, ...actions], dueAt: dueOf(state, now) };
  }
  const count = sentActions(current).length;
  if (isAny(kept) && count === 0) await reserveAnew(transaction, run.project_id, idOf(0), newId());
  return { turn: current, ids: Array.from({ length: count }, (_, place) => idOf(place)), kept };
}

/** Two steps may take codes of one group. */
const byThemselves = (codes: State['codes'] | null): State['codes'] =>
  Object.fromEntries(Object.values(codes ?? {}).map((code) => [code, code]));

/** One code of each group, or none at all. */
async function take(
  transaction: Sql,
  { project_id, chat_id }: Turn['run'],
  names: readonly string[],
  messageId: string,
  now: Date,
): Promise<State['codes'] | null> {
  const groups = await findGroupsNamed(transaction, project_id, names);
  if (groups.length < names.length) return null;
  const [taken] = await takeCodes(transaction, project_id, groups, [{ message_id: messageId, chat_id }], now);
  return taken?.promocodes ?? null;
}
