import { seconds } from '../clock.ts';
import { expectOneAccepted } from '../events.ts';
import type { Place } from '../http-api.ts';
import { keptServers } from '../kept.ts';
import { obeying, type Refusals, tooMany } from '../obey.ts';
import { counterFrom } from '../outbox.ts';
import { addressForm } from '../people.ts';
import { bare, buttonOf, listenTo, type Player, type Said, type Shown, type ShownFile } from '../player.ts';
import { startVk, type VkMessage, vkError } from './provider.ts';

const settings = { access_token: 'vk1.simulator-community-token', group_id: '200000001' };
const ids = addressForm('500', 6);

const refusals: Refusals = {
  recipientOf: ({ path, body }) =>
    path === '/method/messages.send'
      ? ids.numberIn(new URLSearchParams(body.toString()).get('user_id'))
      : null,
  credentials: vkError(5, 'User authorization failed: invalid access_token.'),
  busy: (seconds) =>
    seconds === null ? vkError(6, 'Too many requests per second') : tooMany(seconds, 'Too Many Requests'),
  unknownPerson: vkError(18, 'User was deleted or banned'),
  blocked: vkError(901, "Can't send messages for users without permission"),
  windowClosed: vkError(950, 'Cannot send message, reply timed out'),
};

export async function playVkontakte(place: Place): Promise<Player> {
  const vk = await startVk(place, settings, ids.personAt);
  const nextConversation = counterFrom(place);

  async function happen(type: string, object: object): Promise<void> {
    expectOneAccepted(await vk.happen(type, object));
  }

  return {
    platform: 'Vkontakte',
    settings: { ...settings, api_root: vk.root },
    addressOf: ({ number }) => ids.of(number),
    says: ['text', 'image', 'file', 'voice', 'place', 'press'],
    receipts: ['read'],
    listen: (arrived) => listenTo(vk.outbox, (sent) => shownFrom(vk.uploads, sent), arrived),
    ...obeying(vk, refusals),
    async say({ number }, said) {
      const id = Number(ids.of(number));
      const message = { id: vk.nextMessage(), from_id: id, peer_id: id, date: seconds() };
      await happen('message_new', {
        message: { ...message, conversation_message_id: nextConversation(), ...contentOf(said) },
        client_info: { keyboard: true, inline_keyboard: true, lang_id: 0 },
      });
    },
    async acknowledge({ number }, messages) {
      const id = Number(ids.of(number));
      const read_message_id = Math.max(...messages.map(Number));
      await happen('message_read', { from_id: id, peer_id: id, read_message_id });
    },
    block: ({ number }, isBlocked) =>
      happen(isBlocked ? 'message_deny' : 'message_allow', { user_id: Number(ids.of(number)) }),
    addresses: () => vk.servers.map(({ url }) => url),
    registration: {
      get: () => vk.servers,
      set: (kept) => void vk.servers.push(...keptServers(kept)),
    },
  };
}

function attachmentFrom({ kind, file }: Extract<Said, { file: unknown }>): object {
  const { url, name: title } = file;
  if (kind === 'image')
    return { type: 'photo', photo: { id: 1, owner_id: 1, sizes: [{ url, width: 600, height: 400 }] } };
  if (kind === 'voice')
    return { type: 'audio_message', audio_message: { id: 1, owner_id: 1, duration: 1, link_mp3: url } };
  return { type: 'doc', doc: { id: 1, owner_id: 1, title, url } };
}

type Action = { label?: string; link?: string; payload?: string };

function buttonsIn(keyboard: string | undefined): Shown['buttons'] {
  const rows: { action: Action }[][] = keyboard ? JSON.parse(keyboard).buttons : [];
  return rows.flat().map(({ action: { label = '', link, payload } }) => buttonOf(label, link, payload));
}

function contentOf(said: Said): object {
  switch (said.kind) {
    case 'text':
      return { text: said.text };
    case 'press':
      return { text: said.label, payload: said.press };
    case 'place': {
      const { latitude, longitude } = said;
      return { text: '', geo: { type: 'point', coordinates: { latitude, longitude } } };
    }
    case 'contact':
      return { text: '' };
    default:
      return { text: said.text, attachments: [attachmentFrom(said)] };
  }
}

function shownFrom(uploads: Map<string, Buffer>, { id, parameters }: VkMessage): Shown | null {
  const to = ids.numberIn(parameters.user_id);
  if (to === null) return null;
  const { message: text = '', attachment, keyboard } = parameters;
  const bytes = attachment === undefined ? undefined : uploads.get(attachment);
  const kind: ShownFile['kind'] = attachment?.startsWith('photo') ? 'image' : 'file';
  return {
    ...bare,
    id: String(id),
    to,
    text,
    files: bytes ? [{ kind, name: kind === 'image' ? 'photo' : 'document', bytes }] : [],
    buttons: buttonsIn(keyboard),
  };
}
