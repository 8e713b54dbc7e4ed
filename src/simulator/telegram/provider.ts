import { type Answered, postEvent } from '../events.ts';
import { type ApiAnswer, type ApiCall, fieldsOfForm, type Place, startHttpApi } from '../http-api.ts';
import { counterFrom, createOutbox, type Outbox } from '../outbox.ts';

export type BotCall = {
  token: string;
  method: string;
  // biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
  parameters: any;
};

export type Reaction = { status: number; body: unknown } | 'close' | 'hang';

type BotUpdate = { update_id: number };

export type BotWebhook = { url: string; secret_token?: string };

export type SentByBot = { message_id: number; method: string; parameters: BotCall['parameters'] };

export type TelegramStandIn = {
  /** For the setting `api_root`. */
  root: string;
  /** Empty in the simulator. */
  calls: BotCall[];
  /** Sets the answer to calls for which this returns one. `() => null` restores normal answers. */
  react(reaction: (call: BotCall) => Reaction | null): void;
  /** The same for calls before they are read. */
  reactToCall: Awaited<ReturnType<typeof startHttpApi>>['react'];
  /** Delivers updates of the bot to the current poll, or to the next. */
  happen(token: string, ...updates: BotUpdate[]): void;
  /** Delivers an update to the bot's address if it has one, and otherwise to its poll. */
  tell(token: string, update: object): Promise<Answered>;
  /** The addresses of bots by their tokens. */
  webhooks: Map<string, BotWebhook>;
  outbox: Outbox<SentByBot>;
  /** The ids of pressed buttons that the bot has answered. */
  answers: Outbox<string>;
  /** The number of the next message of anybody. */
  nextMessage(): number;
  /** How often two polls of one bot were open at once. */
  conflicts(): number;
  /** Files from clients. `getFile` finds each by its id. */
  files: Map<string, Buffer>;
  /** Resolves when the current poll of this bot has ended, on either side. */
  pollEnded(token: string): Promise<void>;
  /** Resolves with the first matching call, past or future. */
  called(isMeant: (call: BotCall) => boolean): Promise<BotCall>;
};

/** The form of a refusal by the Bot API. */
export const refusal = (
  code: number,
  description: string,
  parameters?: object,
): { status: number; body: object } => ({
  status: code,
  body: { ok: false, error_code: code, description, ...(parameters && { parameters }) },
});

const result = (value: unknown): ApiAnswer => ({ status: 200, body: { ok: true, result: value } });

const polledElsewhere = refusal(409, 'Conflict: terminated by other getUpdates request');
const hasWebhook = refusal(
  409,
  "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
);

export const callOfBot = ({ path, headers, body }: ApiCall): BotCall => {
  const [, token = '', method = ''] = /^\/bot([^/]*)\/(\w+)$/.exec(path) ?? [];
  const isForm = headers['content-type']?.startsWith('multipart/form-data');
  const parameters = isForm ? parametersOfForm(body) : JSON.parse(body.toString() || '{}');
  return { token, method, parameters };
};

/** Objects are JSON in a form. */
function parametersOfForm(body: Buffer): BotCall['parameters'] {
  const { reply_markup, ...others } = fieldsOfForm(body);
  return { ...others, ...(reply_markup && { reply_markup: JSON.parse(String(reply_markup)) }) };
}

type Bots = Pick<TelegramStandIn, 'files' | 'webhooks' | 'outbox' | 'answers' | 'nextMessage'> & {
  /** Of the only bot, if there is only one. */
  bot_token: string | undefined;
  polls: ReturnType<typeof createPolls>;
  nextUpdate(): number;
};

/**
 * The part of the Bot API that we call. `getUpdates` really waits, and drops updates that the offset confirms. Like
 * Telegram, it ends an earlier poll of the same bot with 409. Unlike Telegram, it calls addresses without https.
 * Without `bot_token` it has a bot for any token.
 */
export async function startTelegram(
  place: Place,
  { bot_token }: { bot_token?: string } = {},
): Promise<TelegramStandIn> {
  const polls = createPolls();
  const bots: Bots = {
    bot_token,
    files: new Map(),
    webhooks: new Map(),
    outbox: createOutbox(),
    answers: createOutbox(),
    polls,
    nextMessage: counterFrom(place),
    nextUpdate: counterFrom(place),
  };
  const { files, webhooks, outbox, answers, nextMessage } = bots;
  let reaction: (call: BotCall) => Reaction | null = () => null;

  const api = await startHttpApi(place, (call): ApiAnswer | Promise<ApiAnswer> => {
    const file = /^\/file\/bot[^/]+\/documents\/([\w-]+)$/.exec(call.path)?.[1];
    if (file !== undefined) return fileNamed(bots, file);
    const asked = callOfBot(call);
    return inJson(reaction(asked)) ?? perform(bots, asked, call.signal);
  });

  return {
    root: api.root,
    get calls() {
      return api.calls.filter(({ path }) => !path.startsWith('/file/')).map(callOfBot);
    },
    files,
    webhooks,
    outbox,
    answers,
    nextMessage,
    react: (next) => {
      reaction = next;
    },
    reactToCall: api.react,
    happen: polls.add,
    tell: (token, event) => tell(bots, token, event),
    conflicts: polls.conflicts,
    pollEnded: polls.ended,
    called: async (isMeant) => callOfBot(await api.called((call) => isMeant(callOfBot(call)))),
  };
}

function perform(
  bots: Bots,
  { token, method, parameters }: BotCall,
  signal: AbortSignal,
): ApiAnswer | Promise<ApiAnswer> {
  const { bot_token, webhooks, polls, answers } = bots;
  if (bot_token !== undefined && token !== bot_token) return refusal(401, 'Unauthorized');
  switch (method) {
    case 'getUpdates':
      return webhooks.has(token) ? hasWebhook : polls.open(token, parameters, signal);
    case 'getFile': {
      const { file_id } = parameters;
      return result({ file_id, file_path: `documents/${file_id}` });
    }
    case 'setWebhook':
      webhooks.set(token, parameters);
      return result(true);
    case 'deleteWebhook':
      webhooks.delete(token);
      return result(true);
    case 'getWebhookInfo': {
      const url = webhooks.get(token)?.url ?? '';
      return result({ url, has_custom_certificate: false, pending_update_count: 0 });
    }
    case 'answerCallbackQuery':
      answers.add(parameters.callback_query_id);
      return result(true);
    case 'getMe':
      return result({ id: 1, is_bot: true, first_name: 'Shop', username: 'shop_bot' });
    default:
      return method.startsWith('send') ? accept(bots, method, parameters) : result(true);
  }
}

function accept({ outbox, nextMessage }: Bots, method: string, parameters: BotCall['parameters']): ApiAnswer {
  const refused = refusedFile(parameters);
  if (refused) return refused;
  const message_id = nextMessage();
  outbox.add({ message_id, method, parameters });
  return result({ message_id });
}

const mostPhotoBytes = 10 * 1024 * 1024;

/** A document by its address must be GIF, PDF or ZIP. */
function refusedFile({ photo, document }: BotCall['parameters']): ApiAnswer | null {
  if (typeof document === 'string' && !/\.(gif|pdf|zip)$/i.test(URL.parse(document)?.pathname ?? ''))
    return refusal(400, 'Bad Request: failed to get HTTP URL content');
  const size = photo?.bytes?.length ?? 0;
  if (size <= mostPhotoBytes) return null;
  const limit = `the maximum size is ${mostPhotoBytes} bytes`;
  return refusal(400, `Bad Request: file of size ${size} bytes is too big for a photo; ${limit}`);
}

function fileNamed({ files }: Bots, id: string): ApiAnswer {
  const body = files.get(id);
  return body ? { status: 200, body } : { status: 404, body: '' };
}

async function tell(bots: Bots, token: string, event: object): Promise<Answered> {
  const update = { update_id: bots.nextUpdate(), ...event };
  const webhook = bots.webhooks.get(token);
  if (webhook) {
    const { url, secret_token } = webhook;
    const headers = secret_token ? { 'x-telegram-bot-api-secret-token': secret_token } : undefined;
    const answer = await postEvent(url, update, headers);
    performAnswer(bots, answer);
    return answer;
  }
  bots.polls.add(token, update);
  return { status: 200, text: '' };
}

/** An answer to an update can be a call. Only this one is made so. */
function performAnswer({ answers }: Bots, { status, text }: Answered): void {
  const { method, callback_query_id } = status === 200 ? JSON.parse(text) : {};
  if (method === 'answerCallbackQuery') answers.add(callback_query_id);
}

/** The Bot API sends JSON, whatever a test lets it say. */
const inJson = (answer: Reaction | null): ApiAnswer | null =>
  answer === null || typeof answer === 'string'
    ? answer
    : { ...answer, headers: { 'content-type': 'application/json' } };

type Poll = { signal: AbortSignal; answer(answer: ApiAnswer): void };

/** Telegram keeps updates for a day. */
const mostPending = 10_000;

function createPolls() {
  const pending = new Map<string, BotUpdate[]>();
  const polls = new Map<string, Poll>();
  let conflicts = 0;
  const updatesOf = (token: string): BotUpdate[] => pending.get(token) ?? [];

  function answerPoll(token: string): void {
    const updates = updatesOf(token);
    if (updates.length === 0) return;
    polls.get(token)?.answer(result(updates.slice(0, 100)));
  }

  return {
    conflicts: () => conflicts,
    add(token: string, ...updates: BotUpdate[]): void {
      pending.set(token, [...updatesOf(token), ...updates].slice(-mostPending));
      answerPoll(token);
    },
    ended: (token: string): Promise<void> =>
      new Promise((resolve) => {
        const signal = polls.get(token)?.signal;
        if (signal && !signal.aborted) signal.addEventListener('abort', () => resolve());
        else resolve();
      }),
    open(
      token: string,
      { offset = 0, timeout = 0 }: BotCall['parameters'],
      signal: AbortSignal,
    ): Promise<ApiAnswer> {
      pending.set(
        token,
        updatesOf(token).filter(({ update_id }) => update_id >= offset),
      );
      const earlier = polls.get(token);
      if (earlier) {
        conflicts += 1;
        earlier.answer(polledElsewhere);
      }
      return new Promise((resolve) => {
        const poll: Poll = { signal, answer: finish };
        const timer = setTimeout(() => finish(result([])), timeout * 1_000);
        timer.unref();
        function finish(answer: ApiAnswer): void {
          clearTimeout(timer);
          if (polls.get(token) === poll) polls.delete(token);
          resolve(answer);
        }
        polls.set(token, poll);
        signal.addEventListener('abort', () => finish('close'));
        answerPoll(token);
      });
    },
  };
}
