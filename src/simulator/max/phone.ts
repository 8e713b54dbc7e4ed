import { expectOneAccepted } from '../events.ts';
import type { Place } from '../http-api.ts';
import { keptSubscriptions } from '../kept.ts';
import { obeying, type Refusals, tooMany } from '../obey.ts';
import { counterFrom, keepLatest } from '../outbox.ts';
import { addressForm, type Person } from '../people.ts';
import { bare, buttonOf, fileAt, listenTo, type Player, type Said, type Shown } from '../player.ts';
import { createPresses } from '../presses.ts';
import { type MaxMessage, maxError, startMax } from './provider.ts';

const access_token = 'SIMULATOR-max-bot-token';
const ids = addressForm('2000', 6);

const chat_id = 100_500;
const recipient = { chat_id, chat_type: 'dialog', user_id: 1 };

type Update = { update_type: string; [field: string]: unknown };

const refusals: Refusals = {
  recipientOf: ({ method, path, query }) =>
    method === 'POST' && path === '/messages' ? ids.numberIn(query.get('user_id')) : null,
  credentials: maxError(401, 'verify.token', 'Invalid access_token'),
  busy: (seconds) => tooMany(seconds, { code: 'too.many.requests', message: 'Too many requests' }),
  unknownPerson: maxError(404, 'dialog.not.found', 'error.dialog.notfound'),
  blocked: maxError(403, 'chat.denied', 'error.dialog.suspended'),
  windowClosed: null,
};

export async function playMax(place: Place): Promise<Player> {
  const bot = await startMax(place, { access_token });
  const nextPress = counterFrom(place);
  const presses = createPresses();
  bot.answers.listen(({ callback_id }) => presses.answer(callback_id));
  const keyboards = new Map<string, object[] | undefined>();

  async function happen(update: Update): Promise<void> {
    expectOneAccepted(await bot.happen(update));
  }

  return {
    platform: 'Max',
    settings: { access_token, api_root: bot.root },
    addressOf: ({ number }) => ids.of(number),
    says: ['text', 'image', 'file', 'voice', 'place', 'contact', 'press'],
    receipts: [],
    listen: (arrived) =>
      listenTo(
        bot.outbox,
        (sent) => {
          keepLatest(keyboards, sent.mid, sent.body.attachments);
          return shownFrom(bot.files, sent);
        },
        arrived,
      ),
    ...obeying(bot, refusals),
    awaitsAnswers: true,
    say: (person, said, answered) => {
      if (said.kind !== 'press') return happen(updateFrom(person, said, bot.nextMid));
      const callback_id = `press-${nextPress()}`;
      presses.wait(callback_id, answered);
      const timestamp = Date.now();
      const callback = { callback_id, timestamp, payload: said.press, user: userOf(person) };
      const body = { mid: said.message, text: '', attachments: keyboards.get(said.message) ?? [] };
      return happen({ update_type: 'message_callback', timestamp, callback, message: { recipient, body } });
    },
    async block(person, isBlocked) {
      if (isBlocked) bot.blocked.add(ids.of(person.number));
      else bot.blocked.delete(ids.of(person.number));
      const update_type = isBlocked ? 'bot_stopped' : 'bot_started';
      await happen({ update_type, timestamp: Date.now(), chat_id, user: userOf(person) });
    },
    addresses: () => bot.subscriptions.map(({ url }) => url),
    registration: {
      get: () => bot.subscriptions,
      set: (kept) => void bot.subscriptions.push(...keptSubscriptions(kept)),
    },
  };
}

type Attachment = {
  type: string;
  payload: { url?: string; token?: string; buttons?: { text: string; url?: string; payload?: string }[][] };
};

function userOf({ number, name }: Person) {
  const [first_name, last_name] = name.split(' ');
  return { user_id: Number(ids.of(number)), first_name, last_name, is_bot: false };
}

/** The command to start begins a chat anew. Other words are a message. */
function updateFrom(person: Person, said: Exclude<Said, { kind: 'press' }>, nextMid: () => string): Update {
  const timestamp = Date.now();
  const sender = userOf(person);
  const parameter = said.kind === 'text' ? /^\/start(?: (.+))?$/.exec(said.text) : null;
  if (parameter) {
    const payload = parameter[1] ?? null;
    return { update_type: 'bot_started', timestamp, chat_id, user: sender, payload };
  }
  const body = { mid: nextMid(), ...contentOf(sender, person, said) };
  return { update_type: 'message_created', timestamp, message: { sender, recipient, timestamp, body } };
}

function contentOf(
  max_info: object,
  { name, phone }: Person,
  said: Exclude<Said, { kind: 'press' }>,
): { text: string; attachments?: object[] } {
  switch (said.kind) {
    case 'text':
      return { text: said.text };
    case 'place': {
      const { latitude, longitude } = said;
      return { text: '', attachments: [{ type: 'location', latitude, longitude }] };
    }
    case 'contact': {
      const vcf_info = `BEGIN:VCARD\r\nVERSION:3.0\r\nTEL;TYPE=cell:${phone.slice(1)}\r\nFN:${name}\r\nEND:VCARD\r\n`;
      return { text: '', attachments: [{ type: 'contact', payload: { vcf_info, max_info } }] };
    }
    default: {
      const { url, name: filename, id: token } = said.file;
      const type = { image: 'image', voice: 'audio', file: 'file' }[said.kind];
      return { text: said.text, attachments: [{ type, filename, payload: { url, token } }] };
    }
  }
}

function shownFrom(uploads: Map<string, Buffer>, { mid: id, user_id, body }: MaxMessage): Shown | null {
  const to = ids.numberIn(user_id);
  if (to === null) return null;
  const attachments: Attachment[] = body.attachments ?? [];
  return {
    ...bare,
    id,
    to,
    text: body.text,
    files: attachments.flatMap(({ type, payload }): Shown['files'] => {
      if (type === 'image' && payload.url) return [fileAt('image', payload.url)];
      const bytes = uploads.get(payload.token ?? '');
      return bytes ? [{ kind: 'file', name: 'document', bytes }] : [];
    }),
    buttons: attachments
      .flatMap(({ payload }) => payload.buttons ?? [])
      .flat()
      .map(({ text, url, payload }) => buttonOf(text, url, payload)),
  };
}
