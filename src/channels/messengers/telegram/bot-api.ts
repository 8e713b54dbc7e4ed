import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { readableWords } from '../../shared/answer.ts';
import { callApi } from '../../shared/call.ts';
import { formOf, type MessageFile } from '../../shared/file.ts';
import { textsOf } from '../../shared/json.ts';
import { apiRoot, type Settings } from './settings.ts';

/** The Bot API's answer. `code` is null if another server on the way answered. */
export type BotAnswer =
  | { ok: true; result: unknown }
  | { ok: false; code: number | null; description: string; retryAfterMs: number | null };

const Envelope = Type.Object({
  ok: Type.Boolean(),
  result: Type.Optional(Type.Unknown()),
  error_code: Type.Optional(Type.Integer()),
  description: Type.Optional(Type.String()),
  parameters: Type.Optional(Type.Object({ retry_after: Type.Optional(Type.Number({ minimum: 0 })) })),
});

export type BotCall = { method: string; parameters: object; upload?: Upload; limits?: Limits };
/** A file as the parameter `field`. */
type Upload = { field: string; file: MessageFile };
type Limits = { timeoutMs?: number; maxResponseBytes?: number; signal?: AbortSignal };

/** Calls one method of the bot. Throws what `Outbound.request` throws. */
export async function callBot(settings: Settings, http: Outbound, call: BotCall): Promise<BotAnswer> {
  const { status, value } = await callApi(http, {
    url: `${apiRoot(settings)}/bot${settings.bot_token}/${call.method}`,
    method: 'POST',
    ...bodyOf(call),
    redact: [settings.bot_token],
    ...call.limits,
  });
  return botAnswer(status, Value.Check(Envelope, value) ? value : null, settings);
}

const bodyOf = ({ parameters, upload }: BotCall) =>
  upload ? formOf(upload.field, upload.file, textsOf(parameters)) : { json: parameters };

function botAnswer(status: number, envelope: Static<typeof Envelope> | null, settings: Settings): BotAnswer {
  if (envelope?.ok) return { ok: true, result: envelope.result };
  const { error_code = status, description = `Telegram answered ${status}.`, parameters } = envelope ?? {};
  return {
    ok: false,
    code: envelope || status === 429 ? error_code : null,
    description: readableWords(description, [settings.bot_token]),
    retryAfterMs: parameters?.retry_after === undefined ? null : parameters.retry_after * 1000,
  };
}
