import { once } from 'node:events';
import type { Link } from '../../contract/adapter.ts';
import { CredentialsRefused } from '../../contract/failure.ts';
import type { InboundEvent } from '../../contract/inbound.ts';
import { type Account, type Ears, type Heard, type OpenAccount, Refused } from './account.ts';
import { createFetchFile, type Fetched, type FetchFile } from './fetch-file.ts';
import { type People, peopleOf } from './people.ts';
import { isLoggedOut } from './refusals.ts';
import { senderOver } from './send.ts';
import type { Settings } from './settings.ts';

/** Holds the only connection of the account. It receives and sends. */
export const connectBy = (open: OpenAccount) => {
  const fetchFile = createFetchFile();
  return async (settings: Settings, link: Link): Promise<void> => {
    const { session } = settings;
    if (!session) throw new CredentialsRefused('Nobody is logged in. Use: patchbay channel login <uuid>');
    try {
      const account = await open({ ...settings, session }, link.client, link.cursor, link.signal);
      try {
        await hold(account, link, settings, fetchFile);
      } finally {
        await account.close();
      }
    } catch (error) {
      if (link.signal.aborted) return;
      if (!(error instanceof Refused && isLoggedOut(error))) throw error;
      throw new CredentialsRefused(
        `Telegram has logged us out (${error.text}). Use: patchbay channel login <uuid>`,
      );
    }
  };
};

async function hold(account: Account, link: Link, settings: Settings, fetchFile: FetchFile): Promise<void> {
  const people = peopleOf(account);
  const aborted = link.signal.aborted ? Promise.resolve() : once(link.signal, 'abort');
  for (const person of await beforeEnd(account.people(), aborted)) people.met(person);
  const { promise: lost, reject: lose } = Promise.withResolvers<never>();
  // It may be lost before anybody waits for it.
  lost.catch(() => {});
  // Strictly in order: a cursor must never overtake earlier events.
  let storing = Promise.resolve();
  const store = (eventsOf: () => Promise<InboundEvent[]>, place: string) => {
    storing = storing.then(async () => link.store(await eventsOf(), place));
    storing.catch(lose);
  };
  const ears: Ears = {
    message(heard, place) {
      people.met(heard.from);
      const { id, from, file } = heard;
      const key = `${settings.phone} ${from.id}:${id}`;
      store(async () => messageOf(heard, file && (await fetchFile(file, key, link.signal)), people), place);
    },
    read: (personId, upTo, place) => store(() => receiptOf(personId, upTo, people, account), place),
    lost: lose,
  };
  await beforeEnd(account.listen(ears), aborted);
  link.ready(senderOver(account, people, link, settings));
  await Promise.race([lost, aborted]);
  await storing;
}

/** The library waits for ever for an answer that a lost connection does not bring. */
const beforeEnd = <T>(step: Promise<T>, aborted: Promise<unknown>): Promise<T> =>
  Promise.race([step, aborted.then(() => Promise.reject(new Error('The connection was given up.')))]);

function messageOf(
  { id, from, text }: Heard,
  fetched: Fetched | string | null,
  people: People,
): InboundEvent[] {
  const isMissing = typeof fetched === 'string';
  const file = isMissing ? null : fetched;
  const words = isMissing ? [text, fetched].filter(Boolean).join('\n') : text;
  const message = {
    externalId: `${from.id}:${id}`,
    type: file?.kind ?? ('text' as const),
    text: words || null,
    url: null,
    payload: null,
    ...(file && { file: { bytes: file.bytes, ...(file.name && { name: file.name }) } }),
  };
  return [{ kind: 'message', chat: people.correspondent(from), message }];
}

async function receiptOf(
  personId: string,
  upTo: number,
  people: People,
  account: Account,
): Promise<InboundEvent[]> {
  if (people.addressOf(personId) === null) {
    // A reading is not worth a lost connection.
    const person = await account.personWith(personId, upTo).catch(() => null);
    if (person) people.met(person);
  }
  const chat = people.addressOf(personId);
  if (chat === null) return [];
  return [{ kind: 'receipt', message: { chat, upTo: String(upTo) }, state: 'read', detail: '' }];
}
