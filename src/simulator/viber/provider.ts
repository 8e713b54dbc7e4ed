import { createHmac } from 'node:crypto';
import { type Answered, NoAddress, postEvent } from '../events.ts';
import { type ApiAnswer, type ApiCall, type HttpApi, type Place, startHttpApi } from '../http-api.ts';
import { createOutbox, type Outbox } from '../outbox.ts';

// biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
export type ViberMessage = { token: string; body: any };

export type ViberStandIn = HttpApi & {
  /** The people who have written to the bot, and whether they are still subscribed. */
  people: Map<string, 'subscribed' | 'unsubscribed'>;
  /** Messages that the bot sent. */
  sent: ViberMessage[];
  outbox: Outbox<ViberMessage>;
  /** The address for the bot's events. Null until the bot sets it. */
  webhook(): string | null;
  /** Restores the address. */
  restore(webhook: string | null): void;
  nextToken(): string;
  /** Sends a signed event to the bot's address, and returns its answer. */
  happen(event: object): Promise<Answered>;
  /** The person subscribes and writes. A reply carries the `tracking_data` of the latest message to them. */
  say(person: { id: string; name?: string }, message: object): Promise<Answered>;
};

/** The form of a Viber refusal. */
export const viberError = (status: number, status_message: string): ApiAnswer => ({
  status: 200,
  body: { status, status_message },
});

/** Tokens are 64-bit numbers, which only their digits represent exactly. */
export const viberJson = (value: object): string =>
  JSON.stringify(value).replaceAll(/"message_token":"(\d+)"/g, '"message_token":$1');

export const viberSignature = (
  token: string,
  body: string | Buffer,
): { 'x-viber-content-signature': string } => ({
  'x-viber-content-signature': createHmac('sha256', token).update(body).digest('hex'),
});

const firstToken = 5_098_034_272_017_990_001n;
const mostBytes = 30 * 1024;

type Bot = Pick<ViberStandIn, 'people' | 'outbox' | 'nextToken'> & {
  auth_token: string;
  webhook: string | null;
  /** What the latest message to each person wants back. */
  tracked: Map<string, string>;
};

/** The REST Bot API of one bot: the documented parts that we call. */
export async function startViber(
  place: Place,
  { auth_token }: { auth_token: string },
): Promise<ViberStandIn> {
  const nextToken = tokensFrom(place);
  const bot: Bot = {
    auth_token,
    people: new Map(),
    outbox: createOutbox(),
    webhook: null,
    tracked: new Map(),
    nextToken,
  };
  const { people, outbox, tracked } = bot;

  const api = await startHttpApi(place, (call) => {
    if (call.headers['x-viber-auth-token'] !== auth_token) return viberError(2, 'invalidAuthToken');
    return perform(bot, call);
  });

  async function happen(event: object): Promise<Answered> {
    if (bot.webhook === null) throw new NoAddress();
    return post(bot, bot.webhook, { timestamp: Date.now(), ...event });
  }

  return {
    ...api,
    people,
    sent: outbox.sent,
    outbox,
    webhook: () => bot.webhook,
    restore: (kept) => {
      bot.webhook = kept;
    },
    nextToken,
    happen,
    say(person, message) {
      people.set(person.id, 'subscribed');
      const tracking_data = tracked.get(person.id);
      return happen({
        event: 'message',
        message_token: nextToken(),
        sender: { language: 'en', country: 'UA', api_version: 10, ...person },
        message: { ...message, ...(tracking_data && { tracking_data }) },
        silent: false,
      });
    },
  };
}

function tokensFrom({ lastNumber = 0 }: Place): () => string {
  let token = firstToken + BigInt(lastNumber);
  return () => {
    token += 1n;
    return String(token);
  };
}

const ok = (value: object): ApiAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: viberJson({ status: 0, status_message: 'ok', ...value }),
});

function perform(bot: Bot, call: ApiCall): ApiAnswer | Promise<ApiAnswer> {
  switch (`${call.method} ${call.path}`) {
    case 'POST /pa/get_account_info':
      return ok({
        id: 'pa:75346594275468546724',
        name: 'A bot',
        uri: 'abot',
        subscribers_count: bot.people.size,
        ...(bot.webhook !== null && { webhook: bot.webhook }),
      });
    case 'POST /pa/set_webhook':
      return setWebhook(bot, call);
    case 'POST /pa/send_message':
      return accept(bot, call);
    default:
      return { status: 404, body: 'Not Found' };
  }
}

async function setWebhook(bot: Bot, { body }: ApiCall): Promise<ApiAnswer> {
  const { url, event_types = [] } = JSON.parse(body.toString());
  const event = { event: 'webhook', timestamp: Date.now(), message_token: bot.nextToken() };
  const asked = await post(bot, url, event).catch(() => null);
  if (asked?.status !== 200) return viberError(1, 'invalidUrl');
  bot.webhook = url;
  return ok({ chat_hostname: 'SN-CHAT-01_', event_types });
}

function accept({ people, outbox, webhook, tracked, nextToken }: Bot, { body: bytes }: ApiCall): ApiAnswer {
  if (bytes.length > mostBytes) return viberError(3, 'badData');
  const body = JSON.parse(bytes.toString());
  const { receiver, sender, type, text, media, size, file_name, tracking_data = '' } = body;
  if (webhook === null) return viberError(10, 'webhookNotSet');
  if (!receiver || !sender?.name || !type) return viberError(4, 'missingData');
  const isWhole =
    (type === 'text' && text) ||
    (type === 'picture' && media && typeof text === 'string') ||
    (type === 'file' && media && Number.isInteger(size) && file_name);
  if (!isWhole) return viberError(4, 'missingData');
  if (sender.name.length > 28 || tracking_data.length > 4000) return viberError(3, 'badData');
  const person = people.get(receiver);
  if (person === undefined) return viberError(5, 'receiverNotRegistered');
  if (person === 'unsubscribed') return viberError(6, 'receiverNotSubscribed');
  const message = { token: nextToken(), body };
  tracked.set(receiver, tracking_data);
  outbox.add(message);
  return ok({ message_token: message.token, chat_hostname: 'SN-CHAT-01_' });
}

function post({ auth_token }: Bot, url: string, event: object): Promise<Answered> {
  const body = viberJson(event);
  return postEvent(url, body, viberSignature(auth_token, body));
}
