import { expectOneAccepted } from '../events.ts';
import type { Place } from '../http-api.ts';
import { keptAddresses } from '../kept.ts';
import { obeying, type Refusals, tooMany } from '../obey.ts';
import { counterFrom } from '../outbox.ts';
import { addressForm, type Person } from '../people.ts';
import { bare, buttonOf, fileAt, listenTo, type Player, type Said, type Shown } from '../player.ts';
import { noPermission, type OkMessage, okError, startOk } from './provider.ts';

const access_token = 'tkn1:SIMULATOR-group-key';
const chats = addressForm('chat:C3', 6);
const users = addressForm('user:5', 6);

const refusals: Refusals = {
  recipientOf: ({ method, path }) => {
    const chat = /^\/graph\/me\/messages\/([^/]+)$/.exec(path)?.[1];
    return method === 'POST' && chat !== undefined ? chats.numberIn(decodeURIComponent(chat)) : null;
  },
  credentials: okError(103, 'PARAM_SESSION_KEY : Invalid session key'),
  busy: (seconds) =>
    seconds === null ? okError(11, 'LIMIT_REACHED : Limit reached') : tooMany(seconds, 'Too Many Requests'),
  unknownPerson: okError(300, 'NOT_FOUND : No such chat'),
  blocked: noPermission,
  windowClosed: null,
};

export async function playOdnoklassniki(place: Place): Promise<Player> {
  const ok = await startOk(place, { access_token }, chats.personAt);
  const nextPress = counterFrom(place);

  async function happen({ number, name }: Person, event: object): Promise<void> {
    const sender = { user_id: users.of(number), name };
    const recipient = { chat_id: chats.of(number) };
    expectOneAccepted(await ok.happen({ sender, recipient, timestamp: Date.now(), ...event }));
  }

  function shownFrom({ message_id: id, chat_id, message }: OkMessage): Shown | null {
    const to = chats.numberIn(chat_id);
    if (to === null) return null;
    const { text = '', attachments = [] } = message;
    return {
      ...bare,
      id,
      to,
      text,
      files: attachments.flatMap(({ type, payload }: Attachment): Shown['files'] => {
        if (type === 'IMAGE' && payload.url) return [fileAt('image', payload.url)];
        const bytes = ok.files.get(payload.token ?? '');
        return bytes ? [{ kind: 'file', name: 'document', bytes }] : [];
      }),
      buttons: attachments.flatMap(({ payload }: Attachment) => buttonsIn(payload)),
    };
  }

  return {
    platform: 'Odnoklassniki',
    settings: { access_token, api_root: ok.root },
    addressOf: ({ number }) => chats.of(number),
    says: ['text', 'image', 'file', 'voice', 'place', 'contact', 'press'],
    receipts: [],
    listen: (arrived) => listenTo(ok.outbox, shownFrom, arrived),
    ...obeying(ok, refusals),
    say: (person, said) => {
      if (said.kind === 'press') {
        const press = { callbackId: `press-${nextPress()}`, payload: said.press, mid: said.message };
        return happen(person, { webhookType: 'MESSAGE_CALLBACK', ...press });
      }
      const mid = `mid:C1.${ok.nextMessage()}`;
      return happen(person, {
        webhookType: 'MESSAGE_CREATED',
        message: { mid, seq: 1, ...contentOf(person, said) },
      });
    },
    block: async ({ number }, isBlocked) => {
      if (isBlocked) ok.blocked.add(chats.of(number));
      else ok.blocked.delete(chats.of(number));
    },
    addresses: () => ok.subscriptions,
    registration: {
      get: () => ok.subscriptions,
      set: (kept) => void ok.subscriptions.push(...keptAddresses(kept)),
    },
  };
}

type Attachment = {
  type: string;
  payload: {
    url?: string;
    token?: string;
    keyboard?: { buttons: { text: string; url?: string; payload?: string }[][] };
  };
};

const buttonsIn = ({ keyboard }: Attachment['payload']): Shown['buttons'] =>
  (keyboard?.buttons ?? []).flat().map(({ text, url, payload }) => buttonOf(text, url, payload));

function contentOf(person: Person, said: Exclude<Said, { kind: 'press' }>): object {
  switch (said.kind) {
    case 'text':
      return { text: said.text };
    case 'place': {
      const { latitude, longitude } = said;
      return { attachments: [{ type: 'LOCATION', payload: { latitude, longitude } }] };
    }
    case 'contact': {
      const { name, phone } = person;
      return { attachments: [{ type: 'CONTACT', payload: { name, phone } }] };
    }
    default: {
      const type = { image: 'IMAGE', voice: 'AUDIO', file: 'FILE' }[said.kind];
      const { url, name } = said.file;
      return { text: said.text, attachments: [{ type, payload: { url, name } }] };
    }
  }
}
