import { seconds } from '../clock.ts';
import { type Answered, postEvent } from '../events.ts';
import {
  type ApiAnswer,
  type ApiCall,
  fileOfForm,
  type HttpApi,
  type Place,
  startHttpApi,
} from '../http-api.ts';
import { counterFrom, createOutbox, keepLatest, type Outbox, pushLatest } from '../outbox.ts';
import { oneName, type WhoIs } from '../people.ts';

type Account = { client_id: string; client_secret: string; user_id: string };

export type AvitoMessage = {
  id: string;
  author_id: number;
  created: number;
  direction: 'in' | 'out';
  type: string;
  content: { text?: string; image?: { id: string } };
  is_read: boolean;
};

/** A message of the account. `chat` is the client's address. */
export type AvitoSent = { chat: string; message: AvitoMessage };

export type AvitoStandIn = HttpApi & {
  outbox: Outbox<AvitoSent>;
  /** The addresses for clients' messages. */
  webhooks: Set<string>;
  /** By chat, the oldest first. A chat without messages does not exist. */
  chats: Map<string, AvitoMessage[]>;
  /** Pictures that were uploaded, by their ids. */
  images: Map<string, Buffer>;
  /** Addresses of voice messages, by their ids. */
  voices: Map<string, string>;
  /** Expires all access tokens. */
  expireTokens(): void;
  /** A client writes. Returns the answers of all addresses. */
  write(chat: string, message: { type: string; content: object }): Promise<Answered[]>;
  /** A client opens the chat. */
  read(chat: string): void;
};

const client = 94235311;

/** Of one chat. */
const mostMessages = 200;

/** The form of a refusal by Avito. */
export const avitoError = (code: number, message: string): ApiAnswer => ({
  status: code,
  body: { error: { code, message } },
});

const json = (body: unknown): ApiAnswer => ({ status: 200, body });

type Shop = Account &
  Pick<AvitoStandIn, 'outbox' | 'webhooks' | 'chats' | 'images' | 'voices'> & {
    whoIs: WhoIs;
    tokens: Set<string>;
    nextNumber(): number;
  };

/** The messenger of one account, as far as it is documented. A new address must answer `{}` with a 200. */
export async function startAvito(place: Place, account: Account, whoIs = oneName): Promise<AvitoStandIn> {
  const shop: Shop = {
    ...account,
    whoIs,
    outbox: createOutbox(),
    webhooks: new Set(),
    chats: new Map(),
    images: new Map(),
    voices: new Map(),
    tokens: new Set(),
    nextNumber: counterFrom(place),
  };
  const { outbox, webhooks, chats, images, voices, tokens } = shop;

  const api = await startHttpApi(place, (call) => {
    if (call.path === '/token') return grant(shop, new URLSearchParams(call.body.toString()));
    if (!tokens.has((call.headers.authorization ?? '').replace('Bearer ', ''))) {
      return { status: 401, body: { result: { status: false, message: 'invalid access token' } } };
    }
    return perform(shop, api.root, call);
  });

  return {
    ...api,
    outbox,
    webhooks,
    chats,
    images,
    voices,
    expireTokens: () => tokens.clear(),
    write(chat, { type, content }) {
      const messages = chats.get(chat) ?? [];
      chats.set(chat, messages);
      const {
        direction: _direction,
        is_read: _isRead,
        ...message
      } = add(shop, messages, 'in', type, content);
      const user_id = Number(shop.user_id);
      return tell(shop, { ...message, chat_id: chat, user_id, chat_type: 'u2i', item_id: 1 });
    },
    read(chat) {
      for (const message of chats.get(chat) ?? []) message.is_read ||= message.direction === 'out';
    },
  };
}

function grant({ client_id, client_secret, tokens, nextNumber }: Shop, form: URLSearchParams): ApiAnswer {
  if (form.get('client_id') !== client_id || form.get('client_secret') !== client_secret) {
    return json({ error: 'invalid_client', error_description: 'Client authentication failed' });
  }
  const access_token = `token-${nextNumber()}`;
  tokens.add(access_token);
  return json({ access_token, expires_in: 86_400, token_type: 'Bearer' });
}

function perform(shop: Shop, root: string, call: ApiCall): ApiAnswer | Promise<ApiAnswer> {
  if (call.path === '/core/v1/accounts/self') return json({ id: Number(shop.user_id), name: 'Shop' });
  if (call.path === '/messenger/v3/webhook') return subscribe(shop, JSON.parse(call.body.toString()).url);
  if (call.path === '/messenger/v1/subscriptions') return json(listed(shop));
  const [, version, account, rest = ''] = /^\/messenger\/(v\d)\/accounts\/(\d+)\/(.*)$/.exec(call.path) ?? [];
  if (account !== shop.user_id) return avitoError(403, 'permission denied');
  if (rest === 'chats') return json({ chats: [] });
  if (rest === 'uploadImages') return keep(shop, root, call);
  if (rest === 'getVoiceFiles') return json({ voices_urls: voicesOf(shop, call.query) });
  const [, chat = '', path = ''] = /^chats\/([^/]+)(?:\/(.*))?$/.exec(rest) ?? [];
  const id = decodeURIComponent(chat);
  const messages = shop.chats.get(id);
  if (!messages) return avitoError(404, 'chat not found');
  if (call.method === 'GET' && version === 'v2') return json({ id: chat, users: peopleOf(shop, id) });
  if (call.method === 'GET' && version === 'v3') return json(page(messages, call.query));
  return take(shop, id, messages, path, JSON.parse(call.body.toString()));
}

async function subscribe({ webhooks }: Shop, url: string): Promise<ApiAnswer> {
  const answer = await fetch(url, { method: 'POST', body: '{}' });
  if (answer.status !== 200) return avitoError(400, `the address answered ${answer.status}`);
  webhooks.add(url);
  return json({ ok: true });
}

const listed = ({ webhooks }: Shop): object => ({
  subscriptions: [...webhooks].map((url) => ({ url, version: '3' })),
});

const peopleOf = ({ user_id, whoIs }: Shop, chat: string): object[] => [
  { id: Number(user_id), name: 'Shop' },
  { id: client, name: whoIs(chat)?.name },
];

const voicesOf = ({ voices }: Shop, query: URLSearchParams): object =>
  Object.fromEntries(query.getAll('voice_ids').map((id) => [id, voices.get(id)]));

/** The newest come first. */
function page(messages: AvitoMessage[], query: URLSearchParams): AvitoMessage[] {
  const offset = Number(query.get('offset') ?? 0);
  return messages.toReversed().slice(offset, offset + Number(query.get('limit') ?? 100));
}

// biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
function take(shop: Shop, chat: string, messages: AvitoMessage[], path: string, body: any): ApiAnswer {
  const accept = (type: string, content: object): ApiAnswer => {
    const message = add(shop, messages, 'out', type, content);
    shop.outbox.add({ chat, message });
    return json(message);
  };
  if (path === 'messages/image') {
    if (!shop.images.has(body.image_id)) return avitoError(400, 'unknown image');
    return accept('image', { image: { id: body.image_id } });
  }
  const text = body.message?.text;
  if (path !== 'messages' || body.type !== 'text' || !text) return avitoError(400, 'malformed message');
  if (text.length > 1000) return avitoError(400, 'message is too long');
  return accept('text', { text });
}

function keep({ images, nextNumber }: Shop, root: string, { body }: ApiCall): ApiAnswer {
  if (!body.includes('name="uploadfile[]"')) return avitoError(400, 'no file');
  const id = `12345.${nextNumber()}`;
  keepLatest(images, id, fileOfForm(body));
  return json({ [id]: { '1280x960': `${root}/${id}.png` } });
}

function add(
  { user_id, nextNumber }: Shop,
  messages: AvitoMessage[],
  direction: AvitoMessage['direction'],
  type: string,
  content: object,
): AvitoMessage {
  const message = {
    id: `message-${nextNumber()}`,
    author_id: direction === 'out' ? Number(user_id) : client,
    created: seconds(),
    direction,
    type,
    content,
    is_read: false,
  };
  pushLatest(messages, message, mostMessages);
  return message;
}

/** A client's message goes to all addresses. */
const tell = ({ webhooks, nextNumber }: Shop, value: object) =>
  Promise.all(
    [...webhooks].map((url) =>
      postEvent(url, {
        id: `hook-${nextNumber()}`,
        version: 'v3.0.0',
        timestamp: 1_571_654_040,
        payload: { type: 'message', value },
      }),
    ),
  );
