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
  /** Sends an update to all addresses, and returns the statuses of their answers. */
  happen(update: { update_type: string; callback?: { callback_id: string } }): Promise<number[]>;
};

/** The form of a refusal by Max. */
export const maxError = (status: number, code: string, message: string): ApiAnswer => ({
  status,
  body: { code, message },
});

const mostText = 4000;

/** The API of one bot: the documented parts that we call. Unlike Max, it calls addresses without https. */
export async function startMax(
  place: Place,
  { access_token }: { access_token: string },
): Promise<MaxStandIn> {
  const outbox = createOutbox<MaxMessage>();
  const answers = createOutbox<MaxAnswered>();
  const pressed = new Map<string, true>();
  const nextMessage = counterFrom(place);
  const nextUpload = counterFrom(place);
  const nextMid = (): string => `mid.${String(nextMessage()).padStart(16, '0')}`;
  const state = {
    subscriptions: [] as Subscription[],
    sent: outbox.sent,
    outbox,
    answers,
    nextMid,
    files: new Map<string, Buffer>(),
    blocked: new Set<string>(),
    unreadyFor: 0,
    videos: new Map<string, object>(),
  };
  const { subscriptions, files, blocked, videos } = state;

  const api = await startHttpApi(place, (call) => {
    if (call.path.startsWith('/upload/')) return take(call);
    if (call.headers.authorization !== access_token)
      return maxError(401, 'verify.token', 'Invalid access_token');
    const [, first = '', second = ''] = call.path.split('/');
    switch (`${call.method} ${first}`) {
      case 'GET me':
        return { status: 200, body: { user_id: 1, first_name: 'Shop', username: 'shop_bot', is_bot: true } };
      case 'POST subscriptions':
        return subscribe(JSON.parse(call.body.toString()));
      case 'POST uploads':
        return { status: 200, body: { url: `${api.root}/upload/${nextUpload()}` } };
      case 'POST messages':
        return accept(call.query.get('user_id') ?? '', JSON.parse(call.body.toString()));
      case 'POST answers':
        return answer(call.query.get('callback_id') ?? '', JSON.parse(call.body.toString()));
      case 'GET videos':
        return videos.has(second)
          ? { status: 200, body: { token: second, urls: videos.get(second) } }
          : maxError(404, 'not.found', 'Video not found');
      default:
        return maxError(404, 'not.found', `Path ${call.path} is not recognized`);
    }
  });

  function subscribe(wanted: Subscription): ApiAnswer {
    if (!/^[A-Za-z0-9_-]{5,256}$/.test(wanted.secret ?? 'none given')) {
      return { status: 200, body: { success: false, message: 'Invalid secret' } };
    }
    const known = subscriptions.findIndex(({ url }) => url === wanted.url);
    if (known >= 0) subscriptions.splice(known, 1);
    subscriptions.push(wanted);
    return { status: 200, body: { success: true } };
  }

  function accept(user_id: string, body: MaxMessage['body']): ApiAnswer {
    const attachments: { type: string; payload: { url?: string; token?: string } }[] = body.attachments ?? [];
    if (blocked.has(user_id)) return maxError(403, 'chat.denied', 'error.dialog.suspended');
    if (!/^\d+$/.test(user_id)) return maxError(404, 'dialog.not.found', 'error.dialog.notfound');
    if (body.text.length > mostText) return maxError(400, 'proto.payload', 'text: size must be 0 to 4000');
    if (body.text === '' && attachments.length === 0) return maxError(400, 'proto.payload', 'Empty message');
    const file = attachments.find(({ type }) => type === 'file');
    if (file && !files.has(file.payload.token ?? '')) return maxError(400, 'proto.payload', 'No such file');
    if (file && state.unreadyFor > 0) {
      state.unreadyFor -= 1;
      return maxError(400, 'attachment.not.ready', 'Key: errors.process.attachment.file.not.processed');
    }
    const mid = nextMid();
    outbox.add({ mid, user_id, body });
    const recipient = { chat_id: 100_500, chat_type: 'dialog', user_id: Number(user_id) };
    return { status: 200, body: { message: { recipient, body: { mid, seq: 1, text: body.text } } } };
  }

  function answer(callback_id: string, body: MaxAnswered['body']): ApiAnswer {
    if (!pressed.has(callback_id)) return maxError(400, 'proto.payload', 'callback_id: not found');
    if (!body.message && !body.notification) return maxError(400, 'proto.payload', 'Empty answer');
    answers.add({ callback_id, body });
    return { status: 200, body: { success: true } };
  }

  function take({ path, body }: ApiCall): ApiAnswer {
    const token = `file${path.replace('/upload/', '-')}`;
    keepLatest(files, token, fileOfForm(body));
    return { status: 200, body: { fileId: 9_007_199_254_740, token } };
  }

  return Object.assign(state, api, {
    happen: (update: Parameters<MaxStandIn['happen']>[0]) => {
      if (update.callback) keepLatest(pressed, update.callback.callback_id, true);
      return Promise.all(
        subscriptions.map(async ({ url, secret }) => {
          const answer = await fetch(url, {
            method: 'POST',
            headers: {
              'content-type': 'application/json',
              ...(secret && { 'x-max-bot-api-secret': secret }),
            },
            body: JSON.stringify(update),
          });
          return answer.status;
        }),
      );
    },
  });
}
