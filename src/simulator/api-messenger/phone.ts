import { enteredAddress } from '../entered-address.ts';
import { expectAccepted, postEvent } from '../events.ts';
import type { Place } from '../http-api.ts';
import { obeying, type Refusals, tooMany } from '../obey.ts';
import { counterFrom } from '../outbox.ts';
import { addressForm } from '../people.ts';
import { bare, buttonOf, fileAt, listenTo, type Player, type Said, type Shown } from '../player.ts';
import { type MessengerMessage, startOwnMessenger } from './provider.ts';

const secret = `whsec_${Buffer.from('the secret of the simulator, 32 B').toString('base64')}`;
const people = addressForm('person-', 6);

const refusals: Refusals = {
  recipientOf: ({ body }) => people.numberIn(JSON.parse(body.toString()).payload.chat.external_id),
  credentials: { status: 401 },
  busy: (seconds) => tooMany(seconds),
  unknownPerson: { status: 404 },
  blocked: { status: 403 },
  windowClosed: null,
};

export async function playApiMessenger(place: Place): Promise<Player> {
  const messenger = await startOwnMessenger(place, { secret });
  const nextId = counterFrom(place);
  const entered = enteredAddress();

  async function post(path: string, body: object): Promise<void> {
    const address = entered.current();
    expectAccepted(await postEvent(`${address}${path}`, body, { authorization: `Bearer ${secret}` }));
  }

  return {
    platform: 'API_Messenger',
    settings: { webhook_url: `${messenger.root}/`, secret },
    addressOf: ({ number }) => people.of(number),
    says: ['text', 'image', 'file', 'press'],
    receipts: ['delivered', 'read', 'undelivered'],
    listen: (arrived) => listenTo(messenger.outbox, shownFrom, arrived),
    ...obeying(messenger, refusals),
    say: ({ number, name, phone }, said) =>
      post('messages/', {
        chat: { external_id: people.of(number), name, phone },
        message: { external_id: `message-${nextId()}`, ...contentFrom(said) },
      }),
    async acknowledge(_person, ids, state) {
      for (const uuid of ids) await post('receipts/', { message: { uuid }, state });
    },
    async block({ number }, isBlocked) {
      if (isBlocked) await post('stopped/', { chat: { external_id: people.of(number) } });
    },
    ...entered.played,
  };
}

function contentFrom(said: Said): object {
  switch (said.kind) {
    case 'press':
      return { type: 'button', text: said.label, payload: said.press };
    case 'image':
      return { type: 'image', url: said.file.url, ...(said.text && { text: said.text }) };
    case 'voice':
    case 'file':
      return { type: 'document', url: said.file.url, ...(said.text && { text: said.text }) };
    default:
      return { type: 'text', text: said.kind === 'text' ? said.text : '' };
  }
}

function shownFrom({ uuid: id, externalId, type, text, url, buttons }: MessengerMessage): Shown | null {
  const to = people.numberIn(externalId);
  if (to === null) return null;
  return {
    ...bare,
    id,
    to,
    text: text ?? '',
    files: url ? [fileAt(type === 'image' ? 'image' : 'file', url)] : [],
    buttons: buttons.map(({ text: label, url: link, payload = label }) => buttonOf(label, link, payload)),
  };
}
