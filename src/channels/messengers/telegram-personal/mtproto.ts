import { once } from 'node:events';
import {
  type FileDownloadLocation,
  Long,
  MemoryStorage,
  type Message,
  MtTimeoutError,
  TcpTransport,
  TelegramClient,
  tl,
  User,
} from '@mtcute/node';
import { type Outbound, OutboundRefused } from '../../../platform/outbound/outbound.ts';
import {
  type Account,
  type Ears,
  type HeardFile,
  type OpenAccount,
  type Outgoing,
  type Person,
  Refused,
} from './account.ts';
import type { Settings } from './settings.ts';
import { wordsFor } from './words.ts';

/** The library behind the port. Its state is in memory: the settings keep the session, and the cursor the place. */
export const openAccount: OpenAccount = async (settings, outbound, place, signal) => {
  const { telegram, refused } = clientFor(settings, outbound, signal);
  const aborted = once(signal, 'abort').then(() => Promise.reject(new Error('The connection was given up.')));
  const opened = asked(async () => {
    await setPlace(telegram, place);
    await telegram.importSession(settings.session);
    await telegram.connect();
    await telegram.getMe();
  });
  try {
    await Promise.race([opened, refused, aborted]);
    return accountOf(telegram);
  } catch (error) {
    await telegram.destroy();
    throw error;
  }
};

/** `refused` rejects if the guard refuses a server: the library itself would retry for ever. */
export function clientFor(
  { api_id, api_hash, dc }: Settings,
  outbound: Outbound,
  signal: AbortSignal,
): { telegram: TelegramClient; refused: Promise<never> } {
  const { promise: refused, reject } = Promise.withResolvers<never>();
  const telegram = new TelegramClient({
    apiId: api_id,
    apiHash: api_hash,
    storage: new MemoryStorage(),
    transport: guarded(outbound, signal, reject),
    logLevel: 0,
    updates: { catchUp: true },
    ...(dc && { testMode: true, defaultDcs: testServers(dc) }),
  });
  return { telegram, refused };
}

/** The guard checks every server address. The library does not close a connection made after its end. */
function guarded(outbound: Outbound, signal: AbortSignal, refuse: (error: Error) => void): TcpTransport {
  const transport = new TcpTransport();
  const connect = transport.connect.bind(transport);
  transport.connect = async (dc) => {
    const [ipAddress = ''] = await outbound.addressesOf(dc.ipAddress, dc.port).catch((error) => {
      if (error instanceof OutboundRefused) refuse(error);
      throw error;
    });
    const connection = await connect({ ...dc, ipAddress });
    if (signal.aborted) connection.close();
    return connection;
  };
  return transport;
}

function testServers(dc: string) {
  const [ipAddress = '', port] = dc.split(':');
  const server = { id: 2, ipAddress, port: Number(port), testMode: true };
  return { main: server, media: server };
}

const accountOf = (telegram: TelegramClient): Account => ({
  people: () => asked(() => peopleIn(telegram)),
  personByUsername: (username) =>
    asked(async () => personIn(await telegram.call({ _: 'contacts.resolveUsername', username }))),
  personByPhone: (phone) =>
    asked(async () => personIn(await telegram.call({ _: 'contacts.resolvePhone', phone: phone.slice(1) }))),
  addContact: (phone) =>
    asked(async () => {
      const { users } = await telegram.importContacts([{ phone, firstName: phone, lastName: '' }]);
      const [user] = users;
      return user ? personOf(new User(user)) : null;
    }),
  send: (person, message, signal) => asked(() => send(telegram, person, message, signal)),
  lastSent: (person, signal) => asked(() => lastSent(telegram, person, signal)),
  personWith: (personId, message) => asked(() => personWith(telegram, personId, message)),
  listen: (ears) => asked(() => listen(telegram, ears)),
  close: () => telegram.destroy(),
});

/** Translates the errors of the library. */
export async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusedIn(error) ?? error;
  }
}

function refusedIn(error: unknown): Refused | null {
  if (tl.RpcError.is(error)) {
    const seconds = Reflect.get(error, 'seconds');
    return new Refused(
      error.code,
      error.text.replace(/_%d$/, ''),
      typeof seconds === 'number' ? seconds : null,
    );
  }
  const isTimeout =
    error instanceof MtTimeoutError || (error instanceof Error && error.name === 'AbortError');
  return isTimeout ? new Refused(-503, 'There was no answer in time.') : null;
}

/** Users of older dialogs are found by their next message, their reading, phone or username. */
const mostPeople = 1000;

async function peopleIn(telegram: TelegramClient): Promise<Person[]> {
  const people: Person[] = [];
  for await (const { peer } of telegram.iterDialogs({ limit: mostPeople })) {
    if (peer.type === 'user' && !peer.isSelf) people.push(personOf(peer));
  }
  return people;
}

/** The answer has the users of its messages. */
async function personWith(telegram: TelegramClient, personId: string, id: number): Promise<Person | null> {
  const answer = await telegram.call(
    { _: 'messages.getMessages', id: [{ _: 'inputMessageID', id }] },
    atOnce,
  );
  const users = 'users' in answer ? answer.users : [];
  const user = users.find((one) => String(one.id) === personId);
  return user ? personOf(new User(user)) : null;
}

function personIn({ users }: tl.contacts.RawResolvedPeer): Person {
  const [user] = users;
  if (!user) throw new Refused(400, 'PEER_ID_INVALID');
  return personOf(new User(user));
}

function personOf({ id, displayName, username, phoneNumber }: User): Person {
  const phone = phoneNumber ? `+${phoneNumber.replace(/^\+/, '')}` : null;
  return { id: String(id), name: displayName, username, phone };
}

/** The sending engine does the waiting and the retries. */
const atOnce = { floodSleepThreshold: 0, maxRetryCount: 0 };

async function send(
  telegram: TelegramClient,
  { id }: Person,
  { key, text: message, file }: Outgoing,
  abortSignal: AbortSignal,
): Promise<number | null> {
  const peer = await telegram.resolvePeer(Number(id));
  const randomId = Long.fromString(key.toString());
  const options = { ...atOnce, abortSignal };
  if (!file) {
    const updates = await telegram.call({ _: 'messages.sendMessage', peer, message, randomId }, options);
    return sentId(telegram, updates);
  }
  const type = file.kind === 'image' ? 'photo' : 'document';
  const { bytes, name: fileName, type: fileMime } = file;
  const uploaded = { type, file: bytes, fileName, fileMime } as const;
  const media = await telegram._normalizeInputMedia(uploaded, { abortSignal });
  const updates = await telegram.call({ _: 'messages.sendMedia', peer, media, message, randomId }, options);
  return sentId(telegram, updates);
}

function sentId(telegram: TelegramClient, updates: tl.TypeUpdates): number | null {
  if (updates._ === 'updateShortSentMessage') {
    count(telegram, updates);
    return updates.id;
  }
  telegram.handleClientUpdate(updates, true);
  if (updates._ !== 'updates') return null;
  return updates.updates.find((update) => update._ === 'updateMessageID')?.id ?? null;
}

const newest = { offsetId: 0, offsetDate: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0, hash: Long.ZERO };

async function lastSent(
  telegram: TelegramClient,
  { id }: Person,
  abortSignal: AbortSignal,
): Promise<number | null> {
  const peer = await telegram.resolvePeer(Number(id));
  const call = { _: 'messages.getHistory', peer, ...newest } as const;
  const history = await telegram.call(call, { ...atOnce, abortSignal });
  const messages = 'messages' in history ? history.messages : [];
  return messages.find((message) => message._ === 'message' && message.out)?.id ?? null;
}

/** The library does not count this form of an answer, and would miss it at the next message. */
function count(telegram: TelegramClient, { pts, ptsCount, date }: tl.RawUpdateShortSentMessage): void {
  const counted = { _: 'mtcute.dummyUpdate', channelId: 0, pts, ptsCount } as const;
  telegram.handleClientUpdate(
    { _: 'updates', updates: [counted], users: [], chats: [], date, seq: 0 },
    false,
  );
}

/** After a lost connection the library waits for the next update before it asks for those that it missed. */
function askAfterLosses(telegram: TelegramClient): void {
  let isLost = false;
  telegram.onConnectionState.add((state) => {
    if (state === 'connected' && isLost) telegram.handleClientUpdate({ _: 'updatesTooLong' }, false);
    isLost = state === 'connecting' || (isLost && state !== 'connected');
  });
}

/** The library reads its place once, before it reads the session. */
async function setPlace({ storage }: TelegramClient, place: string | null): Promise<void> {
  const state = storage.updates;
  const [pts, qts, date, seq] = place?.split(':').map(Number) ?? [];
  if (pts !== undefined && qts !== undefined && date !== undefined && seq !== undefined) {
    await state.setPts(pts);
    await state.setQts(qts);
    await state.setDate(date);
    await state.setSeq(seq);
  }
}

async function listen(telegram: TelegramClient, ears: Ears): Promise<void> {
  const state = telegram.storage.updates;
  const here = async () => (await state.getState())?.join(':') ?? '';
  telegram.onNewMessage.add((message) => void hear(telegram, message, here(), ears));
  telegram.onHistoryRead.add(async (update) => {
    const isTheirs = update.isOutbox && !update.isDiscussion && update.chatId > 0;
    if (isTheirs) ears.read(String(update.chatId), update.maxReadId, await here());
  });
  telegram.onError.add((error) => ears.lost(refusedIn(error) ?? error));
  askAfterLosses(telegram);
  await telegram.startUpdatesLoop();
}

/** Telegram's own account. It sends login codes. */
const serviceId = 777_000;

async function hear(
  telegram: TelegramClient,
  message: Message,
  here: Promise<string>,
  ears: Ears,
): Promise<void> {
  const { id, isOutgoing, isService, chat } = message;
  if (isOutgoing || isService || chat.type !== 'user') return;
  if (chat.isBot || chat.isSelf || chat.id === serviceId) return;
  const text = message.text || wordsFor(message.media);
  ears.message({ id, from: personOf(chat), text, file: fileOf(telegram, message) }, await here);
}

function fileOf(telegram: TelegramClient, { media }: Message): HeardFile | null {
  switch (media?.type) {
    case 'photo':
      return { kind: 'image', name: null, ...contentOf(telegram, media) };
    case 'document':
    case 'video':
    case 'audio':
    case 'voice':
      return { kind: 'document', name: media.fileName, ...contentOf(telegram, media) };
    default:
      return null;
  }
}

const contentOf = (
  telegram: TelegramClient,
  media: FileDownloadLocation & { fileSize?: number | undefined },
) => ({
  size: media.fileSize ?? null,
  bytes: async (): Promise<Buffer> => Buffer.from(await telegram.downloadAsBuffer(media)),
});
