import { expectAccepted } from '../events.ts';
import type { Place } from '../http-api.ts';
import { keptAddress } from '../kept.ts';
import { obeying, type Refusals, tooMany } from '../obey.ts';
import { addressForm, type Person } from '../people.ts';
import { bare, fileAt, listenTo, type Player, type Receipt, type Said, type Shown } from '../player.ts';
import { startViber, type ViberMessage, viberError } from './provider.ts';

const auth_token = '4453b6ac-simulator-viber-token';
const ids = addressForm('c2ltdWxhdG9y', 6, '==');

const events: { [receipt in Receipt]: string } = {
  delivered: 'delivered',
  read: 'seen',
  undelivered: 'failed',
};

const refusals: Refusals = {
  recipientOf: ({ path, body }) =>
    path === '/pa/send_message' ? ids.numberIn(JSON.parse(body.toString()).receiver) : null,
  credentials: viberError(2, 'invalidAuthToken'),
  busy: (seconds) =>
    seconds === null
      ? viberError(12, 'tooManyRequests')
      : tooMany(seconds, { status: 12, status_message: 'tooManyRequests' }),
  unknownPerson: viberError(5, 'receiverNotRegistered'),
  blocked: viberError(6, 'receiverNotSubscribed'),
  windowClosed: null,
};

export async function playViber(place: Place): Promise<Player> {
  const bot = await startViber(place, { auth_token });
  const happen = async (event: object): Promise<void> => expectAccepted(await bot.happen(event));

  const stand = (number: number, isIn: boolean): void =>
    void bot.people.set(ids.of(number), isIn ? 'subscribed' : 'unsubscribed');

  return {
    platform: 'Viber',
    settings: { auth_token, sender_name: 'Shop', api_root: bot.root },
    addressOf: ({ number }) => ids.of(number),
    says: ['text', 'image', 'file', 'place', 'contact', 'press'],
    receipts: ['delivered', 'read'],
    listen: (arrived) => listenTo(bot.outbox, shownFrom, arrived),
    ...obeying(bot, refusals),
    async say(person, said) {
      const sender = { id: ids.of(person.number), name: person.name };
      expectAccepted(await bot.say(sender, messageFrom(person, said)));
    },
    async acknowledge({ number }, messages, receipt) {
      for (const id of messages) {
        const event = { event: events[receipt], message_token: id, user_id: ids.of(number) };
        await happen(
          receipt === 'undelivered' ? { ...event, desc: 'The message was not delivered.' } : event,
        );
      }
    },
    async block({ number, name }, isBlocked) {
      stand(number, !isBlocked);
      const user = { id: ids.of(number), name };
      const message_token = bot.nextToken();
      await happen(
        isBlocked
          ? { event: 'unsubscribed', user_id: user.id, message_token }
          : { event: 'subscribed', user, message_token },
      );
    },
    know: (numbers) => {
      for (const number of numbers) stand(number, true);
    },
    addresses: () => [bot.webhook()].filter((address) => address !== null),
    registration: { get: bot.webhook, set: (kept) => bot.restore(keptAddress(kept)) },
  };
}

function messageFrom(person: Person, said: Said): object {
  switch (said.kind) {
    case 'text':
      return { type: 'text', text: said.text };
    case 'press':
      return { type: 'text', text: said.press };
    case 'place':
      return { type: 'location', location: { lat: said.latitude, lon: said.longitude } };
    case 'contact':
      return { type: 'contact', contact: { name: person.name, phone_number: person.phone } };
    case 'image':
      return { type: 'picture', media: said.file.url, ...(said.text && { text: said.text }) };
    default: {
      const { url: media, name: file_name, bytes } = said.file;
      return { type: 'file', media, file_name, size: bytes.length };
    }
  }
}

function shownFrom({ token: id, body }: ViberMessage): Shown | null {
  const to = ids.numberIn(body.receiver);
  if (to === null) return null;
  const { type, text = '', media, file_name, keyboard } = body;
  const keys: { Text: string; ActionType: string; ActionBody: string }[] = keyboard?.Buttons ?? [];
  return {
    ...bare,
    id,
    to,
    text,
    files: media ? [fileAt(type === 'picture' ? 'image' : 'file', media, file_name)] : [],
    buttons: keys.map(({ Text: label, ActionType, ActionBody }) =>
      ActionType === 'open-url' ? { label, url: ActionBody } : { label, press: ActionBody },
    ),
  };
}
