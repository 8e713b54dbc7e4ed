import { seconds } from '../clock.ts';
import { expectAccepted } from '../events.ts';
import type { FormFile, Place } from '../http-api.ts';
import { keptWebhooks } from '../kept.ts';
import { obeying, type Refusals } from '../obey.ts';
import { counterFrom, keepLatest } from '../outbox.ts';
import { addressForm, type Person } from '../people.ts';
import {
  bare,
  buttonOf,
  fileAt,
  listenTo,
  type Player,
  type Said,
  type Shown,
  type ShownFile,
} from '../player.ts';
import { createPresses } from '../presses.ts';
import { callOfBot, refusal, type SentByBot, startTelegram } from './provider.ts';

const bot_token = '1000000001:SIMULATOR-bot-token';
const ids = addressForm('7000', 6);

const refusals: Refusals = {
  recipientOf: (call) => {
    const { method, parameters } = /\/send\w+$/.test(call.path) ? callOfBot(call) : {};
    return method === undefined ? null : ids.numberIn(parameters.chat_id);
  },
  credentials: refusal(401, 'Unauthorized'),
  busy: (seconds) =>
    seconds === null
      ? refusal(429, 'Too Many Requests')
      : refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds }),
  unknownPerson: refusal(400, 'Bad Request: chat not found'),
  blocked: refusal(403, 'Forbidden: bot was blocked by the user'),
  windowClosed: null,
};

export async function playTelegram(place: Place): Promise<Player> {
  const bot = await startTelegram(place, { bot_token });
  const nextId = counterFrom(place);
  const keyboards = new Map<string, object | undefined>();
  const presses = createPresses();
  bot.answers.listen(presses.answer);

  async function tell(event: object): Promise<void> {
    expectAccepted(await bot.tell(bot_token, event));
  }

  return {
    platform: 'Telegram',
    settings: { bot_token, api_root: bot.root },
    addressOf: ({ number }) => ids.of(number),
    says: ['text', 'image', 'file', 'voice', 'place', 'contact', 'press'],
    receipts: [],
    listen: (arrived) =>
      listenTo(
        bot.outbox,
        (sent) => {
          const { message_id, parameters } = sent;
          keepLatest(keyboards, String(message_id), parameters.reply_markup);
          return shownFrom(sent);
        },
        arrived,
      ),
    ...obeying({ react: bot.reactToCall }, refusals),
    awaitsAnswers: true,
    async say(person, said, answered) {
      const sides = sidesOf(person);
      if (said.kind === 'press') {
        const id = String(nextId());
        presses.wait(id, answered);
        return tell({ callback_query: pressFrom(sides, id, said, keyboards.get(said.message)) });
      }
      const author = { message_id: bot.nextMessage(), date: seconds(), ...sides };
      await tell({ message: { ...author, ...contentOf(bot.files, person, said) } });
    },
    block: (person, isBlocked) => {
      const new_chat_member = { status: isBlocked ? 'kicked' : 'member' };
      return tell({ my_chat_member: { ...sidesOf(person), new_chat_member } });
    },
    addresses: () => [...bot.webhooks.values()].map(({ url }) => url),
    registration: {
      get: () => [...bot.webhooks],
      set: (kept) => {
        for (const [token, webhook] of keptWebhooks(kept)) bot.webhooks.set(token, webhook);
      },
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: a provider looks into bodies of any form.
function buttonsIn(markup: any): Shown['buttons'] {
  const rows: { text: string; url?: string; callback_data?: string }[][] = markup?.inline_keyboard ?? [];
  return rows.flat().map(({ text, url, callback_data }) => buttonOf(text, url, callback_data));
}

function chatOf({ number, name, username }: Person) {
  const [first_name, last_name] = name.split(' ');
  return { id: Number(ids.of(number)), first_name, last_name, username };
}

/** A private chat has the id and the names of its person. */
function sidesOf(person: Person): { chat: object; from: object } {
  const chat = chatOf(person);
  return { chat: { ...chat, type: 'private' }, from: { ...chat, is_bot: false } };
}

function pressFrom(
  { chat, from }: ReturnType<typeof sidesOf>,
  id: string,
  { message, press }: Extract<Said, { kind: 'press' }>,
  reply_markup: object | undefined,
): object {
  return { id, from, message: { message_id: Number(message), chat, reply_markup }, data: press };
}

/** Files from clients are found by their ids. */
function contentOf(
  files: Map<string, Buffer>,
  person: Person,
  said: Exclude<Said, { kind: 'press' }>,
): object {
  switch (said.kind) {
    case 'text':
      return { text: said.text };
    case 'place':
      return { location: { latitude: said.latitude, longitude: said.longitude } };
    case 'contact': {
      const { id, first_name, last_name } = chatOf(person);
      return { contact: { phone_number: person.phone, first_name, last_name, user_id: id } };
    }
    default: {
      const { file, text } = said;
      keepLatest(files, file.id, file.bytes);
      const sent = { file_id: file.id, file_unique_id: file.id, file_size: file.bytes.length };
      const caption = text && { caption: text };
      if (said.kind === 'image') return { photo: [{ ...sent, width: 90, height: 90 }], ...caption };
      if (said.kind === 'voice') return { voice: { ...sent, duration: 1, mime_type: file.type }, ...caption };
      return { document: { ...sent, file_name: file.name, mime_type: file.type }, ...caption };
    }
  }
}

function shownFrom({ message_id, method, parameters }: SentByBot): Shown | null {
  const to = ids.numberIn(parameters.chat_id);
  if (to === null) return null;
  const { text, caption, photo, document, reply_markup } = parameters;
  const file = photo ?? document;
  const kind = method === 'sendPhoto' ? 'image' : 'file';
  return {
    ...bare,
    id: String(message_id),
    to,
    text: text ?? caption ?? '',
    files: file ? [shownFile(kind, file)] : [],
    buttons: buttonsIn(reply_markup),
  };
}

const shownFile = (kind: ShownFile['kind'], file: FormFile | string): ShownFile =>
  typeof file === 'string' ? fileAt(kind, file) : { kind, name: file.name, bytes: file.bytes };
