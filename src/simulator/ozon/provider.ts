import { parseExactly } from '../../platform/exact-json.ts';
import { type Answered, postEvent } from '../events.ts';
import { type ApiAnswer, type ApiCall, type HttpApi, type Place, startHttpApi } from '../http-api.ts';
import { createOutbox, keepLatest, type Outbox, pushLatest } from '../outbox.ts';

type Keys = { client_id: string; api_key: string };

export type OzonMessage = { id: bigint; by: 'Customer' | 'Seller'; data: string[]; created_at: string };

/** A message of the seller. `chat` is the client's address. */
export type OzonSent = { chat: string; message: OzonMessage };

export type OzonStandIn = HttpApi & {
  outbox: Outbox<OzonSent>;
  /** By chat, the oldest first. A chat without messages does not exist. */
  chats: Map<string, OzonMessage[]>;
  /** Files of chats, by their paths. */
  files: Map<string, Buffer>;
  /** Sends an event to an address, and returns its answer. */
  push(address: string, body: object): Promise<Answered>;
  /** A buyer writes, and the address gets the event. */
  write(address: string, chat: string, data: string[]): Promise<Answered>;
  /** A buyer reads everything in a chat, and the address gets the event. */
  read(address: string, chat: string): Promise<Answered>;
};

/** The form of a refusal by Ozon. */
export const ozonError = (status: number, code: number, message: string): ApiAnswer => ({
  status,
  body: { code, message, details: [] },
});

/** Ozon names an end for each key. */
const keyLivesMs = 180 * 24 * 3_600_000;

/** Of one chat. */
const mostMessages = 200;

const firstId = 3_000_000_000_817_031_942n;

/** As Ozon's own sample spells it, with a Cyrillic letter. */
const customer = { id: '115568', type: '\u0421ustomer' };

type Seller = Keys & Pick<OzonStandIn, 'outbox' | 'chats' | 'files'> & { lastId: bigint };

/** The chats of one seller, as far as they are documented. */
export async function startOzon(place: Place, keys: Keys): Promise<OzonStandIn> {
  const seller: Seller = {
    ...keys,
    outbox: createOutbox(),
    chats: new Map(),
    files: new Map(),
    lastId: firstId + BigInt(place.lastNumber ?? 0),
  };
  const { outbox, chats, files } = seller;

  const api = await startHttpApi(place, (call) => {
    const { headers } = call;
    if (headers['client-id'] !== keys.client_id || headers['api-key'] !== keys.api_key) {
      return ozonError(403, 7, 'Invalid Api-Key, please contact support');
    }
    return call.method === 'GET' ? fileAt(seller, call.path) : perform(seller, api.root, call);
  });

  const common = (message_type: string, chat_id: string) => ({
    message_type,
    chat_id,
    chat_type: 'Buyer_Seller',
    user: customer,
    seller_id: keys.client_id,
  });

  return {
    ...api,
    outbox,
    chats,
    files,
    push: postEvent,
    write(address, chat, data) {
      const messages = chats.get(chat) ?? [];
      chats.set(chat, messages);
      const { id, created_at } = add(seller, messages, 'Customer', data);
      return postEvent(address, {
        ...common('TYPE_NEW_MESSAGE', chat),
        message_id: String(id),
        created_at,
        data,
      });
    },
    read(address, chat) {
      const last = String(chats.get(chat)?.at(-1)?.id ?? 0n);
      const body = { ...common('TYPE_MESSAGE_READ', chat), message_id: last, last_read_message_id: last };
      return postEvent(address, body);
    },
  };
}

function fileAt({ files }: Seller, path: string): ApiAnswer {
  const body = files.get(path);
  return body ? { status: 200, body } : ozonError(404, 5, 'file not found');
}

function perform(seller: Seller, root: string, { path, body: bytes }: ApiCall): ApiAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
  const body = parseExactly(bytes.toString(), String) as any;
  if (path === '/v3/chat/list') {
    return { status: 200, body: { chats: [], total_unread_count: 0, cursor: '', has_next: false } };
  }
  if (path === '/v1/roles') {
    const roles = [{ name: 'Admin', methods: [] }];
    return { status: 200, body: { expires_at: new Date(Date.now() + keyLivesMs).toISOString(), roles } };
  }
  const messages = seller.chats.get(body.chat_id);
  if (!messages) return ozonError(404, 5, 'chat not found');
  switch (path) {
    case '/v1/chat/send/message':
      if (!body.text || body.text.length > 1000)
        return ozonError(400, 3, 'invalid ChatSendMessageRequest.Text');
      return accept(seller, body.chat_id, messages, body.text);
    case '/v1/chat/send/file': {
      if (!body.name || !body.base64_content) return ozonError(400, 3, 'invalid ChatSendFileRequest');
      const file = `/v2/chat/file/${seller.lastId}/${encodeURIComponent(body.name)}`;
      keepLatest(seller.files, file, Buffer.from(body.base64_content, 'base64'));
      return accept(seller, body.chat_id, messages, `[${body.name}](${root}${file})`);
    }
    case '/v3/chat/history':
      return historyOf(messages, Number(body.limit ?? 50));
    default:
      return ozonError(404, 5, 'unknown method');
  }
}

function accept(seller: Seller, chat: string, messages: OzonMessage[], said: string): ApiAnswer {
  seller.outbox.add({ chat, message: add(seller, messages, 'Seller', [said]) });
  return { status: 200, body: { result: 'success' } };
}

/** Ids of 64 bits are numbers here, with all their digits. */
function historyOf(messages: OzonMessage[], limit: number): ApiAnswer {
  const newest = messages.toReversed().slice(0, limit);
  const shown = newest.map(({ id, by, data, created_at }) => {
    const rest = { user: { id: '7', type: by }, created_at, is_read: false, data };
    return `{"message_id":${id},${JSON.stringify(rest).slice(1)}`;
  });
  return {
    status: 200,
    body: `{"has_next":${messages.length > limit},"messages":[${shown.join()}]}`,
    headers: { 'content-type': 'application/json' },
  };
}

function add(seller: Seller, messages: OzonMessage[], by: OzonMessage['by'], data: string[]): OzonMessage {
  seller.lastId += 1n;
  const message = { id: seller.lastId, by, data, created_at: new Date().toISOString() };
  pushLatest(messages, message, mostMessages);
  return message;
}
