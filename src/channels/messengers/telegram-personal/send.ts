import { createHash } from 'node:crypto';
import type { Client, Link, OutgoingMessage, Sender } from '../../contract/adapter.ts';
import { failed, unanswered } from '../../contract/failure.ts';
import { fetchFile } from '../../shared/file.ts';
import { type Account, type Outgoing, type Person, Refused } from './account.ts';
import type { People } from './people.ts';
import { errorOf } from './refusals.ts';
import type { Settings } from './settings.ts';

/** Telegram gives no duration for PEER_FLOOD. The limit lasts for days. */
const coldPauseMs = 24 * 3_600_000;

export function senderOver(
  account: Account,
  people: People,
  { client, keep }: Pick<Link, 'client' | 'keep'>,
  settings: Settings,
): Sender {
  let coldUntil = Date.parse(settings.cold_until ?? '') || 0;

  /** The settings keep it for the connections that follow. */
  async function keepCold(now: Date): Promise<void> {
    coldUntil = now.getTime() + coldPauseMs;
    await keep({ cold_until: new Date(coldUntil).toISOString() });
  }

  return async (message, { now, deadline }) => {
    if (message.type === 'template') return failed({ code: 'unsupported' });
    const { externalId, lastingIds } = message.chat;
    try {
      if (people.isStrange(externalId) && now.getTime() < coldUntil) return refusedCold;
      const person = await people.find(externalId, lastingIds);
      const file = await fileOf(message, client, deadline);
      const outgoing = { key: keyOf(message), text: message.text ?? '', file };
      const id = await sendOnce(account, person, outgoing, deadline);
      people.opened(externalId, person);
      return { sent: true, providerId: id === null ? null : String(id) };
    } catch (error) {
      if (!(error instanceof Refused)) return unanswered(error);
      if (error.text === 'PEER_FLOOD') await keepCold(now);
      return failed(errorOf(error));
    }
  };
}

const refusedCold = failed({
  code: 'not_opted_in',
  detail: 'Telegram does not let this account open new chats now (PEER_FLOOD).',
});

async function sendOnce(
  account: Account,
  person: Person,
  outgoing: Outgoing,
  deadline: AbortSignal,
): Promise<number | null> {
  try {
    return await account.send(person, outgoing, deadline);
  } catch (error) {
    if (!(error instanceof Refused && error.text === 'RANDOM_ID_DUPLICATE')) throw error;
    // Telegram has the message, without telling its number. Who read up to a later one has read this one too.
    return account.lastSent(person, deadline).catch(() => null);
  }
}

const MOST_MIB = 25;

async function fileOf(
  { type, url }: OutgoingMessage,
  client: Client,
  signal: AbortSignal,
): Promise<Outgoing['file']> {
  if (url === null) return null;
  const kind = type === 'image' ? 'image' : 'document';
  return { kind, ...(await fetchFile(client, url, { mostMiB: MOST_MIB, signal })) };
}

/** The idempotency key of Telegram has 64 bits. */
const keyOf = ({ uuid }: OutgoingMessage): bigint =>
  createHash('sha256').update(uuid).digest().readBigInt64BE();
