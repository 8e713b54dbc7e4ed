import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Long, type tl } from '@mtcute/node';
import { clientOver } from '../../../../test/adapter.ts';
import { testOutbound } from '../../../../test/outbound.ts';
import { startTelegramPersonal } from '../../../simulator/telegram-personal/provider.ts';
import type { Heard } from './account.ts';
import { openAccount } from './mtproto.ts';

/** Source: core.telegram.org/schema, "MessageMedia" and "Document attributes", and the types of npm @mtcute/tl. */

const none = new Uint8Array();
const geo = { _: 'geoPoint', lat: 55.75, long: 37.5, accessHash: Long.ONE } as const;
const empty = { _: 'photoEmpty', id: Long.ONE } as const;

const documentWith = (
  mimeType: string,
  attributes: tl.TypeDocumentAttribute[],
  more: Partial<tl.RawMessageMediaDocument> = {},
): tl.RawMessageMediaDocument => ({
  _: 'messageMediaDocument',
  document: {
    _: 'document',
    id: Long.fromString('5368324170671202286'),
    accessHash: Long.fromString('-8623462346234623462'),
    fileReference: none,
    date: 1_767_225_600,
    mimeType,
    size: 5_000_000_000,
    dcId: 2,
    attributes,
  },
  ...more,
});

const sticker = (alt: string): tl.TypeDocumentAttribute => ({
  _: 'documentAttributeSticker',
  alt,
  stickerset: { _: 'inputStickerSetEmpty' },
});

const named: tl.TypeDocumentAttribute = { _: 'documentAttributeFilename', fileName: 'a.bin' };
const video: tl.TypeDocumentAttribute = { _: 'documentAttributeVideo', duration: 1.5, w: 320, h: 180 };
const voice: tl.TypeDocumentAttribute = {
  _: 'documentAttributeAudio',
  voice: true,
  duration: 2,
  waveform: new Uint8Array([1, 2, 3]),
};

const poll: tl.RawMessageMediaPoll = {
  _: 'messageMediaPoll',
  poll: {
    _: 'poll',
    id: Long.fromString('5123456789012345678'),
    question: { _: 'textWithEntities', text: 'Tea or coffee?', entities: [] },
    answers: [{ _: 'pollAnswer', text: { _: 'textWithEntities', text: 'Tea', entities: [] }, option: none }],
    hash: Long.ZERO,
  },
  results: { _: 'pollResults' },
};

const page: tl.RawMessageMediaWebPage = {
  _: 'messageMediaWebPage',
  webpage: {
    _: 'webPage',
    id: Long.ONE,
    url: 'https://shop.example/tea',
    displayUrl: 'shop.example/tea',
    hash: 0,
    title: 'Green tea',
  },
};

const contact: tl.RawMessageMediaContact = {
  _: 'messageMediaContact',
  phoneNumber: '+79990000002',
  firstName: 'Anna',
  lastName: '',
  vcard: '',
  userId: 0,
};

const venue: tl.RawMessageMediaVenue = {
  _: 'messageMediaVenue',
  geo,
  title: 'Café',
  address: '1 Way',
  provider: 'foursquare',
  venueId: '4c21',
  venueType: '',
};

type Recorded = [what: string, message: string, media: tl.TypeMessageMedia | undefined, becomes: object];

const recorded: Recorded[] = [
  ['a text', 'Привет', undefined, { text: 'Привет', file: null }],
  ['a text with a page', 'https://shop.example/tea', page, { text: 'https://shop.example/tea', file: null }],
  ['a place', '', { _: 'messageMediaGeo', geo }, { text: '55.75, 37.5', file: null }],
  [
    'a place that moves',
    '',
    { _: 'messageMediaGeoLive', geo, heading: 90, period: 900 },
    { text: '55.75, 37.5', file: null },
  ],
  ['a venue', '', venue, { text: 'Café, 1 Way', file: null }],
  ['a contact without an account', '', contact, { text: 'Anna +79990000002', file: null }],
  ['a poll', '', poll, { text: 'Tea or coffee?', file: null }],
  ['a throw of dice', '', { _: 'messageMediaDice', value: 3, emoticon: '🎲' }, { text: '🎲', file: null }],
  ['a sticker', '', documentWith('image/webp', [sticker('👍')]), { text: '👍', file: null }],
  [
    'a sticker without its emoji',
    '',
    documentWith('image/webp', [sticker('')]),
    { text: 'Sticker', file: null },
  ],
  [
    'a document of five gigabytes',
    'Look',
    documentWith('application/zip', [named]),
    { text: 'Look', file: { kind: 'document', name: 'a.bin' } },
  ],
  [
    'a video',
    '',
    documentWith('video/mp4', [video, named]),
    { text: '', file: { kind: 'document', name: 'a.bin' } },
  ],
  [
    'a voice message without a name',
    '',
    documentWith('audio/ogg', [voice], { voice: true }),
    { text: '', file: { kind: 'document', name: null } },
  ],
  [
    'a picture that is gone',
    'It was here',
    { _: 'messageMediaPhoto', photo: empty, ttlSeconds: 5 },
    { text: 'It was here', file: null },
  ],
  ['a medium of a later version', '', { _: 'messageMediaUnsupported' }, { text: '', file: null }],
];

test('updates in the shape that others recorded are read, one after another', async (t) => {
  const telegram = await startTelegramPersonal(t);
  const settings = { api_id: 1, api_hash: '0'.repeat(32), phone: '+79980000000', session: telegram.session };
  const { signal } = new AbortController();
  const account = await openAccount(settings, clientOver(testOutbound(t)), null, signal);
  t.after(() => account.close());
  const heard: Heard[] = [];
  const lost = (error: Error) => assert.fail(error);
  await account.listen({ message: (one) => void heard.push(one), read: () => {}, lost });
  // The library asks twice for what it missed, before it hears what is new.
  const asked = () => telegram.calls.filter((name) => name === 'updates.getDifference').length;
  while (asked() < 2) await setImmediate();
  for (const [, message, media] of recorded) telegram.hear(1, { message, ...(media && { media }) });
  while (heard.length < recorded.length) await setImmediate();
  assert.deepEqual(
    heard.map(({ text, file }, place) => {
      const known = file && { kind: file.kind, name: file.name };
      return [recorded[place]?.[0], { text, file: known }];
    }),
    recorded.map(([what, , , becomes]) => [what, becomes]),
  );
});
