import { enteredAddress } from '../entered-address.ts';
import { expectAccepted } from '../events.ts';
import type { Place } from '../http-api.ts';
import { obeying, type Refusals, tooMany } from '../obey.ts';
import { keepLatest } from '../outbox.ts';
import { addressForm } from '../people.ts';
import { bare, listenTo, type Player, type Said, type Shown, type ShownFile } from '../player.ts';
import { type OzonSent, type OzonStandIn, ozonError, startOzon } from './provider.ts';

const keys = { client_id: '400000001', api_key: 'SIMULATOR-api-key' };
const chats = addressForm('5e111a70-0000-4000-8000-000000', 6);

const isPicture = (path: string): boolean => /\.(png|jpe?g|gif|webp)$/i.test(path);

const refusals: Refusals = {
  recipientOf: ({ path, body }) =>
    path.startsWith('/v1/chat/send/') ? chats.numberIn(JSON.parse(body.toString()).chat_id) : null,
  credentials: ozonError(403, 7, 'Invalid Api-Key, please contact support'),
  busy: (seconds) =>
    tooMany(seconds, { code: 8, message: 'You have reached request rate limit', details: [] }),
  unknownPerson: ozonError(404, 5, 'chat not found'),
  blocked: ozonError(403, 7, 'The chat is closed'),
  windowClosed: ozonError(403, 7, 'The time to answer in this chat is over'),
};

export async function playOzon(place: Place): Promise<Player> {
  const ozon = await startOzon(place, keys);
  const entered = enteredAddress(async (address) => {
    const { status } = await ozon.push(address, {
      message_type: 'TYPE_PING',
      time: new Date().toISOString(),
    });
    if (status !== 200) throw new Error(`The address answered ${status} to the ping.`);
  });

  return {
    platform: 'Ozon',
    settings: { ...keys, api_root: ozon.root },
    addressOf: ({ number }) => chats.of(number),
    says: ['text', 'image', 'file'],
    receipts: ['read'],
    listen: (arrived) => listenTo(ozon.outbox, (sent) => shownFrom(ozon, sent), arrived),
    ...obeying(ozon, refusals),
    async say({ number }, said) {
      expectAccepted(await ozon.write(entered.current(), chats.of(number), dataFrom(ozon, said)));
    },
    async acknowledge({ number }) {
      expectAccepted(await ozon.read(entered.current(), chats.of(number)));
    },
    async block({ number }, isBlocked) {
      if (!isBlocked) return;
      const user = { id: '115568', type: 'Customer' };
      const event = { message_type: 'TYPE_CHAT_CLOSED', chat_id: chats.of(number), user };
      expectAccepted(await ozon.push(entered.current(), event));
    },
    know: (numbers) => {
      for (const number of numbers) {
        const chat = chats.of(number);
        if (!ozon.chats.has(chat)) ozon.chats.set(chat, []);
      }
    },
    ...entered.played,
  };
}

/** Ozon keeps files of chats itself, and shows them as links in Markdown. */
function dataFrom(ozon: OzonStandIn, said: Said): string[] {
  if (said.kind === 'text') return [said.text];
  if (!('file' in said)) return [];
  const { file, text, kind } = said;
  const path = `/v2/chat/file/${file.id}/${encodeURIComponent(file.name)}`;
  keepLatest(ozon.files, path, file.bytes);
  return [`${kind === 'image' ? '!' : ''}[${file.name}](${ozon.root}${path})`, ...(text ? [text] : [])];
}

function shownFrom(ozon: OzonStandIn, { chat, message: { id, data } }: OzonSent): Shown | null {
  const to = chats.numberIn(chat);
  if (to === null) return null;
  const files = data.flatMap((part) => fileIn(ozon, part));
  return { ...bare, id: String(id), to, text: files.length > 0 ? '' : data.join('\n'), files };
}

function fileIn(ozon: OzonStandIn, part: string): ShownFile[] {
  const [, name = '', url = ''] = /^\[([^\]]*)\]\((\S+)\)$/.exec(part) ?? [];
  const bytes = ozon.files.get(url.slice(ozon.root.length));
  return bytes ? [{ kind: isPicture(name) ? 'image' : 'file', name, bytes }] : [];
}
