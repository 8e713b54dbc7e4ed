import type { InboundRequest, Verdict } from '../../contract/inbound.ts';
import { isProved } from '../../shared/inbound.ts';
import { jsonIn } from '../../shared/json.ts';
import { eventsOf } from './events.ts';
import { type Settings, webhookSecret } from './settings.ts';
import { isUpdate, type Update } from './update.ts';

/** Unknown updates are accepted too: Telegram repeats a refused update, and holds back those behind it. */
export function receive(request: InboundRequest, settings: Settings): Verdict {
  const secret = webhookSecret(settings);
  if (!isProved(request, 'x-telegram-bot-api-secret-token', secret)) return { accepted: false, status: 403 };
  const update = jsonIn(request.body);
  if (update === undefined) return { accepted: false, status: 400 };
  if (!isUpdate(update)) return { accepted: true, events: [] };
  return { accepted: true, events: eventsOf(update), answer: () => ({ body: answerTo(update) }) };
}

/** Telegram accepts one method call as the response. A pressed button is busy until it is acknowledged. */
const answerTo = ({ callback_query }: Update): object =>
  callback_query ? { method: 'answerCallbackQuery', callback_query_id: callback_query.id } : {};
