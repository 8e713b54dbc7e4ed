import { createHmac, timingSafeEqual } from 'node:crypto';
import { type ApiAnswer, type ApiCall, type HttpApi, type Place, startHttpApi } from '../http-api.ts';
import { createOutbox, keepLatest, type Outbox } from '../outbox.ts';

export type MessengerMessage = {
  uuid: string;
  externalId: string;
  type: 'text' | 'image' | 'document';
  text: string | null;
  url: string | null;
  buttons: { text: string; payload?: string; url?: string }[];
};

export type MessengerStandIn = HttpApi & { outbox: Outbox<MessengerMessage> };

/** A messenger of one's own, as docs/api-messenger.md describes it. */
export async function startOwnMessenger(
  place: Place,
  { secret }: { secret: string },
): Promise<MessengerStandIn> {
  const outbox = createOutbox<MessengerMessage>();
  const known = new Map<string, true>();

  const api = await startHttpApi(place, (call): ApiAnswer => {
    if (call.method !== 'POST') return { status: 404 };
    if (!isSigned(call, secret)) return { status: 401 };
    const { message, chat } = JSON.parse(call.body.toString()).payload;
    if (!known.has(message.uuid)) {
      keepLatest(known, message.uuid, true, 100_000);
      outbox.add({ ...message, externalId: chat.external_id });
    }
    return { status: 200, body: { message_id: message.uuid } };
  });
  return { ...api, outbox };
}

/** Source: Standard Webhooks. */
function isSigned({ headers, body }: ApiCall, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const covered = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const wanted = Buffer.from(`v1,${createHmac('sha256', key).update(covered).digest('base64')}`);
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((signature) => signature.length === wanted.length && timingSafeEqual(signature, wanted));
}
