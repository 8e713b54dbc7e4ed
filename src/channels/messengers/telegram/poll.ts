import Type from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import type { Polled } from '../../contract/adapter.ts';
import { ForPeople } from '../../contract/failure.ts';
import { type BotAnswer, callBot } from './bot-api.ts';
import { eventsOf } from './events.ts';
import type { Settings } from './settings.ts';
import { allowedUpdates, isUpdate } from './update.ts';

const WAIT_SECONDS = 25;
const BATCH = 100;
/** Fits a hundred of the longest messages. An answer that did not fit would be requested again for ever. */
const limits = { timeoutMs: (WAIT_SECONDS + 10) * 1000, maxResponseBytes: 16 * 1024 * 1024 };
const ANSWER_TIMEOUT_MS = 5_000;

const Updates = Type.Array(Type.Object({ update_id: Type.Integer() }));

/**
 * One `getUpdates`. The cursor is the id of the next update. A request from there confirms the earlier updates to
 * Telegram.
 */
export async function poll(
  cursor: string | null,
  settings: Settings,
  http: Outbound,
  signal: AbortSignal,
): Promise<Polled> {
  const parameters = {
    timeout: WAIT_SECONDS,
    limit: BATCH,
    allowed_updates: allowedUpdates,
    ...(cursor !== null && { offset: Number(cursor) }),
  };
  const answer = await callBot(settings, http, {
    method: 'getUpdates',
    parameters,
    limits: { ...limits, signal },
  });
  const received = updatesIn(answer);
  const updates = received.filter(isUpdate);
  const presses = updates.flatMap(({ callback_query }) => callback_query?.id ?? []);
  await Promise.allSettled(presses.map((id) => answerPress(id, settings, http, signal)));
  const last = received.at(-1);
  return { events: updates.flatMap(eventsOf), cursor: last ? String(last.update_id + 1) : cursor };
}

function updatesIn(answer: BotAnswer): { update_id: number }[] {
  if (!answer.ok) throw new ForPeople(`Telegram gave no updates: ${answer.description}`);
  if (!Value.Check(Updates, answer.result))
    throw new ForPeople('Telegram gave no updates: its answer is not a list of them.');
  return answer.result;
}

/** Only ends the button's busy state, so a failure costs nothing. */
const answerPress = (
  id: string,
  settings: Settings,
  http: Outbound,
  signal: AbortSignal,
): Promise<BotAnswer> =>
  callBot(settings, http, {
    method: 'answerCallbackQuery',
    parameters: { callback_query_id: id },
    limits: { timeoutMs: ANSWER_TIMEOUT_MS, signal },
  });
