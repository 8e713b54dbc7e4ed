import { expectOneAccepted } from '../events.ts';
import type { Place } from '../http-api.ts';
import { keptAddresses } from '../kept.ts';
import { obeying, type Refusals, tooMany } from '../obey.ts';
import { keepLatest } from '../outbox.ts';
import { addressForm } from '../people.ts';
import { bare, listenTo, type Player, type Said, type Shown } from '../player.ts';
import { type AvitoSent, avitoError, startAvito } from './provider.ts';

const account = { client_id: 'simulator-client', client_secret: 'SIMULATOR-secret', user_id: '300000001' };
const chats = addressForm('u2i-simulator-', 6);

const refusals: Refusals = {
  recipientOf: ({ method, path }) => {
    const chat = /\/chats\/([^/]+)\/messages(\/image)?$/.exec(path)?.[1];
    return method === 'POST' && chat !== undefined ? chats.numberIn(decodeURIComponent(chat)) : null;
  },
  credentials: avitoError(403, 'permission denied'),
  busy: (seconds) => tooMany(seconds, { error: { code: 429, message: 'too many requests' } }),
  unknownPerson: avitoError(404, 'chat not found'),
  blocked: null,
  windowClosed: null,
};

export async function playAvito(place: Place): Promise<Player> {
  const avito = await startAvito(place, account, chats.personAt);

  function contentOf(said: Said): { type: string; content: object } {
    switch (said.kind) {
      case 'place': {
        const { latitude: lat, longitude: lon } = said;
        return { type: 'location', content: { location: { kind: 'house', lat, lon, title: '', text: '' } } };
      }
      case 'image':
        return { type: 'image', content: { image: { sizes: { '1280x960': said.file.url } } } };
      case 'voice':
      case 'file':
        keepLatest(avito.voices, said.file.id, said.file.url);
        return { type: 'voice', content: { voice: { voice_id: said.file.id } } };
      default:
        return { type: 'text', content: { text: said.kind === 'text' ? said.text : '' } };
    }
  }

  function shownFrom({ chat, message: { id, content } }: AvitoSent): Shown | null {
    const to = chats.numberIn(chat);
    if (to === null) return null;
    const { text = '', image } = content;
    const bytes = image && avito.images.get(image.id);
    return { ...bare, id, to, text, files: bytes ? [{ kind: 'image', name: 'picture', bytes }] : [] };
  }

  return {
    platform: 'Avito',
    settings: { ...account, api_root: avito.root },
    addressOf: ({ number }) => chats.of(number),
    says: ['text', 'image', 'voice', 'place'],
    receipts: ['read'],
    listen: (arrived) => listenTo(avito.outbox, shownFrom, arrived),
    ...obeying(avito, refusals),
    async say({ number }, said) {
      expectOneAccepted(await avito.write(chats.of(number), contentOf(said)));
    },
    /** Avito does not report that a chat was opened. Patchbay asks. */
    acknowledge: async ({ number }) => avito.read(chats.of(number)),
    know: (numbers) => {
      for (const number of numbers) {
        const chat = chats.of(number);
        if (!avito.chats.has(chat)) avito.chats.set(chat, []);
      }
    },
    addresses: () => [...avito.webhooks],
    registration: {
      get: () => [...avito.webhooks],
      set: (kept) => {
        for (const address of keptAddresses(kept)) avito.webhooks.add(address);
      },
    },
  };
}
