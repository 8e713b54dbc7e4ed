import { enteredAddress } from '../entered-address.ts';
import { expectAccepted } from '../events.ts';
import type { Place } from '../http-api.ts';
import { obeying, type Refusals, tooMany } from '../obey.ts';
import { counterFrom } from '../outbox.ts';
import { addressForm } from '../people.ts';
import { bare, fileAt, listenTo, type Player, type Shown } from '../player.ts';
import { type AutoRuSent, autoRuError, startAutoRu } from './provider.ts';

const token = 'simulator-dealer-chat-id';
const users = addressForm('user-', 6);

const refusals: Refusals = {
  recipientOf: ({ body }) => users.numberIn(JSON.parse(body.toString()).recipient?.id),
  credentials: autoRuError(401, 'NO_AUTH', 'Unknown token'),
  busy: (seconds) =>
    tooMany(seconds, { error: 'TOO_MANY_REQUESTS', status: 'ERROR', detailed_error: 'Too many requests' }),
  unknownPerson: autoRuError(404, 'NOT_FOUND', 'Unknown user'),
  blocked: null,
  windowClosed: null,
};

export async function playAutoRu(place: Place): Promise<Player> {
  const autoRu = await startAutoRu(place, { token });
  const nextId = counterFrom(place);
  const entered = enteredAddress();

  return {
    platform: 'Auto_Ru',
    settings: { token, api_root: autoRu.root },
    addressOf: ({ number }) => users.of(number),
    says: ['text', 'image'],
    receipts: [],
    listen: (arrived) => listenTo(autoRu.outbox, shownFrom, arrived),
    ...obeying(autoRu, refusals),
    async say({ number, name }, said) {
      const address = entered.current();
      const content =
        said.kind === 'image'
          ? { type: 'photo', file: said.file.url, text: said.text }
          : { type: 'text', text: said.kind === 'text' ? said.text : '' };
      const message = { id: `message-${nextId()}`, ...content };
      expectAccepted(await autoRu.write(address, { id: users.of(number), name }, message));
    },
    ...entered.played,
  };
}

function shownFrom({ recipient, message: { id, type, text = '', file } }: AutoRuSent): Shown | null {
  const to = users.numberIn(recipient);
  if (to === null) return null;
  return { ...bare, id, to, text, files: type === 'photo' && file ? [fileAt('image', file)] : [] };
}
