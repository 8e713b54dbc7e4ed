import { setTimeout as pause } from 'node:timers/promises';
import Type from 'typebox';
import { Value } from 'typebox/value';
import { type Outbound, OutboundFailed, OutboundRefused } from '../../../platform/outbound/outbound.ts';
import { callOzon } from './api.ts';
import type { Settings } from './settings.ts';

const History = Type.Object({ messages: Type.Array(Type.Unknown()) });

const OurMessage = Type.Object({
  message_id: Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })]),
  user: Type.Object({ type: Type.Literal('Seller') }),
  created_at: Type.String(),
  data: Type.Array(Type.String()),
});

type Wanted = {
  chat: string;
  isIt(said: string): boolean;
  since: Date;
};

const NEWEST = 20;

/** Ozon's clock differs from ours. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The history may show a message a little later. A read receipt that comes meanwhile is kept until the id is known. */
const PAUSES_MS = [250, 1_000, 3_000];

/** The id of the message just sent. Null if it is not found, and then it gets no read receipt. */
export async function findSent(
  http: Outbound,
  settings: Settings,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    let found = await look(http, settings, wanted, signal);
    for (const ms of PAUSES_MS) {
      if (found !== 'not there' || !(await hasPaused(ms, signal))) break;
      found = await look(http, settings, wanted, signal);
    }
    return found === 'not there' ? null : found;
  } catch (error) {
    if (error instanceof OutboundFailed || error instanceof OutboundRefused) return null;
    throw error;
  }
}

/** Null if the history cannot be read. */
async function look(
  http: Outbound,
  settings: Settings,
  { chat, isIt, since }: Wanted,
  signal: AbortSignal,
): Promise<string | 'not there' | null> {
  const body = { chat_id: chat, direction: 'Backward', limit: NEWEST };
  const from = since.getTime() - CLOCK_TOLERANCE_MS;
  const answer = await callOzon(http, settings, { path: '/v3/chat/history', body, signal });
  if (!answer.ok || !Value.Check(History, answer.body)) return null;
  const found = answer.body.messages
    .filter((message) => Value.Check(OurMessage, message))
    .find(({ created_at, data }) => Date.parse(created_at) >= from && isIt(data.join('\n')));
  return found ? String(found.message_id) : 'not there';
}

/** False once the time for the message has ended. */
const hasPaused = (ms: number, signal: AbortSignal): Promise<boolean> =>
  pause(ms, true, { signal }).catch(() => false);
