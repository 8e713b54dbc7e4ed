import { seconds } from '../clock.ts';
import { expectAccepted, NoAddress } from '../events.ts';
import type { Place } from '../http-api.ts';
import { keptSettings } from '../kept.ts';
import { obeying, type Refusals, tooMany } from '../obey.ts';
import { addressForm, type Person } from '../people.ts';
import { bare, fileAt, listenTo, type Player, type Receipt, type Said, type Shown } from '../player.ts';
import { type GatewayMessage, invalid, startGateway } from './provider.ts';

const settings = { instance_id: '3100000001', api_token: 'SIMULATOR-instance-token' };
const ids = addressForm('1000', 6);

const statuses: { [receipt in Receipt]: string } = {
  delivered: 'delivered',
  read: 'read',
  undelivered: 'failed',
};

const isPicture = (name: string): boolean => /\.(png|jpe?g|gif|webp)$/.test(name);

const refusals: Refusals = {
  recipientOf: ({ path, body }) =>
    /\/(sendMessage|sendFileByUrl)\//.test(path) ? ids.numberIn(JSON.parse(body.toString()).chatId) : null,
  credentials: { status: 401, body: 'Unauthorized' },
  busy: (seconds) => tooMany(seconds, 'Too Many Requests'),
  unknownPerson: invalid("Validation failed. Details: 'chatId' is not a chat"),
  blocked: null,
  windowClosed: null,
};

export async function playMaxPersonal(place: Place): Promise<Player> {
  const gateway = await startGateway(place, settings);

  async function notify(notification: { typeWebhook: string; [field: string]: unknown }): Promise<void> {
    if (!gateway.settings.webhookUrl) throw new NoAddress();
    expectAccepted(await gateway.notify({ timestamp: seconds(), ...notification }));
  }

  return {
    platform: 'Max_Personal',
    settings: { ...settings, api_root: gateway.root },
    addressOf: ({ phone }) => phone,
    says: ['text', 'image', 'file', 'voice', 'place', 'contact'],
    receipts: ['delivered', 'read', 'undelivered'],
    listen: (arrived) => listenTo(gateway.outbox, shownFrom, arrived),
    ...obeying(gateway, refusals),
    say: (person, said) =>
      notify({
        typeWebhook: 'incomingMessageReceived',
        idMessage: gateway.nextId(),
        senderData: {
          chatId: ids.of(person.number),
          senderName: person.name,
          senderPhoneNumber: Number(person.phone.slice(1)),
        },
        messageData: dataFrom(person, said),
      }),
    async acknowledge({ number }, messages, receipt) {
      const chatId = ids.of(number);
      for (const idMessage of messages) {
        await notify({ typeWebhook: 'outgoingMessageStatus', chatId, idMessage, status: statuses[receipt] });
      }
    },
    block: async () => {},
    know: (numbers) => {
      for (const number of numbers)
        gateway.accounts.set(Number(`79990${String(number).padStart(6, '0')}`), ids.of(number));
    },
    addresses: () => (gateway.settings.webhookUrl ? [gateway.settings.webhookUrl] : []),
    registration: {
      get: () => gateway.settings,
      set: (kept) => {
        gateway.settings = keptSettings(kept);
      },
    },
  };
}

function shownFrom({ idMessage: id, body }: GatewayMessage): Shown | null {
  const to = ids.numberIn(body.chatId);
  if (to === null) return null;
  const { message, caption, urlFile, fileName = '' } = body;
  const files = urlFile ? [fileAt(isPicture(fileName) ? 'image' : 'file', urlFile, fileName)] : [];
  return { ...bare, id, to, text: message ?? caption ?? '', files };
}

function dataFrom({ name, phone }: Person, said: Said): object {
  switch (said.kind) {
    case 'text':
      return { typeMessage: 'textMessage', textMessageData: { textMessage: said.text } };
    case 'press':
      return { typeMessage: 'textMessage', textMessageData: { textMessage: said.label } };
    case 'place': {
      const { latitude, longitude } = said;
      return { typeMessage: 'locationMessage', locationMessageData: { latitude, longitude } };
    }
    case 'contact': {
      const contactMessageData = { displayName: name, phoneNumber: phone.slice(1) };
      return { typeMessage: 'contactMessage', contactMessageData };
    }
    default: {
      const { url: downloadUrl, name: fileName } = said.file;
      const typeMessage = { image: 'imageMessage', voice: 'audioMessage', file: 'documentMessage' }[
        said.kind
      ];
      return { typeMessage, fileMessageData: { downloadUrl, fileName, caption: said.text } };
    }
  }
}
