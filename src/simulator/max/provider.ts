import { type Answered, postEvent } from '../events.ts';
import {
  type ApiAnswer,
  type ApiCall,
  fileOfForm,
  type HttpApi,
  type Place,
  startHttpApi,
} from '../http-api.ts';
import { counterFrom, createOutbox, keepLatest, type Outbox } from '../outbox.ts';

type Subscription = { url: string; secret?: string; update_types?: string[] };

// biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
export type MaxMessage = { mid: string; user_id: string; body: any };

// biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
export type MaxAnswered = { callback_id: string; body: any };

export type MaxStandIn = HttpApi & {
  /** The addresses for the bot's updates. */
  subscriptions: Subscription[];
  /** Messages that the bot sent. */
  sent: MaxMessage[];
  outbox: Outbox<MaxMessage>;
  /** The bot's answers to pressed buttons. */
  answers: Outbox<MaxAnswered>;
  /** The id of the next message of anybody. */
  nextMid(): string;
  /** Files that were uploaded, by their tokens. */
  files: Map<string, Buffer>;
  /** Clients who stopped the bot. */
  blocked: Set<string>;
  /** How many messages are refused before an uploaded file is ready. */
  unreadyFor: number;
  /** Addresses of videos by their tokens. */
  videos: Map<string, object>;
  /** Sends an update to all addresses, and returns their answers. */
  happen(update: { update_type: string; callback?: { callback_id: string } }): Promise<Answered[]>;
};

/** The form of a refusal by Max. */
export const maxError = (status: number, code: string, message: string): ApiAnswer => ({
  status,
  body: { code, message },
});

const mostText = 4000;

type Bot = Omit<MaxStandIn, keyof HttpApi | 'happen'> & {
  /** The ids of presses that clients made. */
  pressed: Map<string, true>;
  nextUpload(): number;
};

/** The API of one bot: the documented parts that we call. Unlike Max, it calls addresses without https. */
export async function startMax(
  place: Place,
  { access_token }: { access_token: string },
): Promise<MaxStandIn> {
  const outbox = createOutbox<MaxMessage>();
  const nextMessage = counterFrom(place);
  const bot: Bot = {
    subscriptions: [],
    sent: outbox.sent,
    outbox,
    answers: createOutbox(),
    nextMid: () => `mid.${String(nextMessage()).padStart(16, '0')}`,
    nextUpload: counterFrom(place),
    files: new Map(),
    blocked: new Set(),
    unreadyFor: 0,
    videos: new Map(),
    pressed: new Map(),
  };

  const api = await startHttpApi(place, (call) => {
    if (call.path.startsWith('/upload/')) return take(bot, call);
    if (call.headers.authorization !== access_token)
      return maxError(401, 'verify.token', 'Invalid access_token');
    return perform(bot, api.root, call);
  });

  return Object.assign(bot, api, {
    happen: (update: Parameters<MaxStandIn['happen']>[0]) => {
      if (update.callback) keepLatest(bot.pressed, update.callback.callback_id, true);
      return Promise.all(bot.subscriptions.map((subscription) => post(subscription, update)));
    },
  });
}

function perform(bot: Bot, root: string, { method, path, query, body }: ApiCall): ApiAnswer {
  const [, first = '', second = ''] = path.split('/');
  switch (`${method} ${first}`) {
    case 'GET me':
      return { status: 200, body: { user_id: 1, first_name: 'Shop', username: 'shop_bot', is_bot: true } };
    case 'GET subscriptions':
      // The secret is not shown.
      return { status: 200, body: { subscriptions: bot.subscriptions.map(({ url }) => ({ url })) } };
    case 'POST subscriptions':
      return subscribe(bot, JSON.parse(body.toString()));
    case 'POST uploads':
      return { status: 200, body: { url: `${root}/upload/${bot.nextUpload()}` } };
    case 'POST messages':
      return accept(bot, query.get('user_id') ?? '', JSON.parse(body.toString()));
    case 'POST answers':
      return answer(bot, query.get('callback_id') ?? '', JSON.parse(body.toString()));
    case 'GET videos':
      return bot.videos.has(second)
        ? { status: 200, body: { token: second, urls: bot.videos.get(second) } }
        : maxError(404, 'not.found', 'Video not found');
    default:
      return maxError(404, 'not.found', `Path ${path} is not recognized`);
  }
}

function subscribe({ subscriptions }: Bot, wanted: Subscription): ApiAnswer {
  if (!/^[A-Za-z0-9_-]{5,256}$/.test(wanted.secret ?? 'none given')) {
    return { status: 200, body: { success: false, message: 'Invalid secret' } };
  }
  const known = subscriptions.findIndex(({ url }) => url === wanted.url);
  if (known >= 0) subscriptions.splice(known, 1);
  subscriptions.push(wanted);
  return { status: 200, body: { success: true } };
}

function accept(bot: Bot, user_id: string, body: MaxMessage['body']): ApiAnswer {
  const attachments: { type: string; payload: { url?: string; token?: string } }[] = body.attachments ?? [];
  if (bot.blocked.has(user_id)) return maxError(403, 'chat.denied', 'error.dialog.suspended');
  if (!/^\d+$/.test(user_id)) return maxError(404, 'dialog.not.found', 'error.dialog.notfound');
  if (body.text.length > mostText) return maxError(400, 'proto.payload', 'text: size must be 0 to 4000');
  if (body.text === '' && attachments.length === 0) return maxError(400, 'proto.payload', 'Empty message');
  const file = attachments.find(({ type }) => type === 'file');
  if (file && !bot.files.has(file.payload.token ?? '')) return maxError(400, 'proto.payload', 'No such file');
  if (file && bot.unreadyFor > 0) {
    bot.unreadyFor -= 1;
    return maxError(400, 'attachment.not.ready', 'Key: errors.process.attachment.file.not.processed');
  }
  const mid = bot.nextMid();
  bot.outbox.add({ mid, user_id, body });
  const recipient = { chat_id: 100_500, chat_type: 'dialog', user_id: Number(user_id) };
  return { status: 200, body: { message: { recipient, body: { mid, seq: 1, text: body.text } } } };
}

function answer({ pressed, answers }: Bot, callback_id: string, body: MaxAnswered['body']): ApiAnswer {
  if (!pressed.has(callback_id)) return maxError(400, 'proto.payload', 'callback_id: not found');
  if (!body.message && !body.notification) return maxError(400, 'proto.payload', 'Empty answer');
  answers.add({ callback_id, body });
  return { status: 200, body: { success: true } };
}

function take({ files }: Bot, { path, body }: ApiCall): ApiAnswer {
  const token = `file${path.replace('/upload/', '-')}`;
  keepLatest(files, token, fileOfForm(body));
  return { status: 200, body: { fileId: 9_007_199_254_740, token } };
}

const post = ({ url, secret }: Subscription, update: object): Promise<Answered> =>
  postEvent(url, update, secret ? { 'x-max-bot-api-secret': secret } : {});
