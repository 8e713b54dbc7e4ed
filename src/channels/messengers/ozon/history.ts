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

/** The id of the message just sent. Null if it is not found, and then it gets no read receipt. */
export async function findSent(
  http: Outbound,
  settings: Settings,
  { chat, isIt, since }: Wanted,
  signal: AbortSignal,
): Promise<string | null> {
  const body = { chat_id: chat, direction: 'Backward', limit: NEWEST };
  const from = since.getTime() - CLOCK_TOLERANCE_MS;
  try {
    const answer = await callOzon(http, settings, { path: '/v3/chat/history', body, signal });
    if (!answer.ok || !Value.Check(History, answer.body)) return null;
    const found = answer.body.messages
      .filter((message) => Value.Check(OurMessage, message))
      .find(({ created_at, data }) => Date.parse(created_at) >= from && isIt(data.join('\n')));
    return found ? String(found.message_id) : null;
  } catch (error) {
    if (error instanceof OutboundFailed || error instanceof OutboundRefused) return null;
    throw error;
  }
}
