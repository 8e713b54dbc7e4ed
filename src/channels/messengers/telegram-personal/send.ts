import { createHash } from 'node:crypto';
import type { Client, OutgoingMessage, Sender, SendResult } from '../../contract/adapter.ts';
import { attachmentOf } from '../../contract/attachment.ts';
import { type Account, Refused } from './account.ts';
import type { People } from './people.ts';
import { errorOf } from './refusals.ts';

/** Telegram gives no duration for PEER_FLOOD. The limit lasts for days. */
const coldPauseMs = 24 * 3_600_000;

export function senderOver(account: Account, people: People, client: Client): Sender {
  let coldUntil = 0;

  return async (message, { now, deadline }) => {
    if (message.type === 'template') return { sent: false, error: { code: 'unsupported' } };
    const attached = await attachmentOf(message.url, client, deadline);
    if (attached && 'code' in attached) return { sent: false, error: attached };
    const { externalId } = message.chat;
    try {
      if (people.isStrange(externalId) && now.getTime() < coldUntil) return refusedCold;
      const person = await people.find(externalId);
      const file = attached && {
        ...attached,
        kind: message.type === 'image' ? ('image' as const) : ('document' as const),
      };
      const outgoing = { key: keyOf(message), text: message.text ?? '', file };
      const id = await account.send(person, outgoing, deadline);
      people.opened(externalId, person);
      return { sent: true, providerId: id === null ? null : String(id) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.text === 'RANDOM_ID_DUPLICATE') return { sent: true, providerId: null };
      if (error.text === 'PEER_FLOOD') coldUntil = now.getTime() + coldPauseMs;
      return { sent: false, error: errorOf(error) };
    }
  };
}

const refusedCold: SendResult = {
  sent: false,
  error: {
    code: 'not_opted_in',
    detail: 'Telegram does not let this account open new chats now (PEER_FLOOD).',
  },
};

/** The idempotency key of Telegram has 64 bits. */
const keyOf = ({ uuid }: OutgoingMessage): bigint =>
  createHash('sha256').update(uuid).digest().readBigInt64BE();
