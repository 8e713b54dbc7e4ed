import type { Answered } from '../events.ts';
import { type ApiAnswer, type HttpApi, type Place, startHttpApi } from '../http-api.ts';
import { createOutbox, keepLatest, type Outbox } from '../outbox.ts';

export type AutoRuMessage = { type: string; id: string; text?: string; file?: string };

export type AutoRuSent = { recipient: string; sender: string; message: AutoRuMessage };

export type AutoRuStandIn = HttpApi & {
  /** Messages that clients see; one id is one message. */
  sent: AutoRuSent[];
  outbox: Outbox<AutoRuSent>;
  /** A client writes to the dealer with this address. Returns our answer. */
  write(address: string, sender: object, message: object): Promise<Answered>;
};

/** The form of a refusal by Auto.ru. */
export const autoRuError = (status: number, error: string, detailed_error: string): ApiAnswer => ({
  status,
  body: { error, status: 'ERROR', detailed_error },
});

/** The chats of one dealer, as far as they are documented. The answer to a wrong token is not. */
export async function startAutoRu(place: Place, { token }: { token: string }): Promise<AutoRuStandIn> {
  const outbox = createOutbox<AutoRuSent>();
  const known = new Map<string, true>();

  const api = await startHttpApi(place, ({ method, path, query, body }) => {
    if (method !== 'POST' || path !== '/1.0/aggregators/auto/hook') {
      return autoRuError(404, 'NOT_FOUND', 'Unknown path');
    }
    if (query.get('token') !== token) return autoRuError(401, 'NO_AUTH', 'Unknown token');
    return take(body.toString());
  });

  function take(text: string): ApiAnswer {
    const { sender, recipient, message } = JSON.parse(text);
    const content = message?.type === 'photo' ? message.file : message?.text;
    if (!recipient?.id || !message?.id || !content)
      return autoRuError(400, 'BAD_REQUEST', 'Malformed message');
    if (!known.has(message.id)) {
      keepLatest(known, message.id, true, 100_000);
      outbox.add({ recipient: recipient.id, sender: sender?.name ?? '', message });
    }
    return { status: 200, body: { status: 'SUCCESS' } };
  }

  return {
    ...api,
    sent: outbox.sent,
    outbox,
    async write(address, sender, message) {
      const answer = await fetch(`${address}?${new URLSearchParams({ chat_id: token })}`, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({ sender, message }),
      });
      return { status: answer.status, text: await answer.text() };
    },
  };
}
