import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import type { Feed } from './feed.ts';
import { bytesOf, type Files } from './files.ts';
import type { ApiAnswer, ApiCall } from './http-api.ts';
import type { Phone } from './phone.ts';
import { type Mood, moods, type Said } from './player.ts';
import { filePath, presentProvider } from './present.ts';
import { mostPhones, type Provider } from './provider.ts';

/** What the page and the command line do with the simulator. */
export type Control = {
  address: string;
  providers: ReadonlyMap<string, Provider>;
  files: Files;
  feed: Feed;
};

/** The request is wrong. The text is for people. */
class Wrong extends Error {}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' };

/** Null once the feed has taken the response. */
export async function answerPage(
  call: ApiCall,
  response: ServerResponse,
  control: Control,
): Promise<ApiAnswer | null> {
  try {
    const [, first = '', ...rest] = call.path.split('/').map(decodeURIComponent);
    if (first === 'files' && call.method === 'GET') return await fileAnswer(rest[0] ?? '', control);
    if (!isOurPage(call, control))
      return { status: 403, body: { error: 'Only the page itself may do this.' } };
    if (call.method === 'POST') return await perform([first, ...rest], call, control);
    if (first === 'feed') {
      control.feed.open(response, control.providers);
      return null;
    }
    if (first === 'providers') {
      return { status: 200, body: { providers: [...control.providers.values()].map(presentProvider) } };
    }
    return pageFile(first === '' ? 'phones.html' : first);
  } catch (error) {
    if (error instanceof Wrong || error instanceof URIError || error instanceof SyntaxError) {
      return { status: 400, body: { error: error.message } };
    }
    throw error;
  }
}

/** Other sites can make a browser call this address. They cannot choose these headers. */
function isOurPage({ headers: { host = '', origin } }: ApiCall, { address }: Control): boolean {
  const { host: own, port } = new URL(address);
  const isOwnName = [own, `localhost:${port}`, `127.0.0.1:${port}`].includes(host);
  return isOwnName && (origin === undefined || origin === `http://${host}`);
}

const web = join(import.meta.dirname, '..', '..', 'web', 'phones');
const types: { readonly [end: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

function pageFile(name: string): ApiAnswer {
  const type = types[extname(name)];
  if (type === undefined || !/^[a-z-]+\.[a-z]+$/.test(name)) return notFound;
  try {
    const body = readFileSync(join(web, name));
    return {
      status: 200,
      body,
      headers: {
        ...headers,
        'content-type': type,
        'content-security-policy': policy,
        'cache-control': 'no-cache',
      },
    };
  } catch {
    return notFound;
  }
}

const notFound: ApiAnswer = { status: 404, body: { error: 'There is nothing here.' } };

const shownTypes = /^(image\/(png|jpeg|gif|webp)|audio\/(ogg|mpeg|mp4|webm|wav))\b/;

/** A client's file can be a page: only pictures and sounds are shown. */
async function fileAnswer(id: string, { files }: Control): Promise<ApiAnswer> {
  const file = files.find(id);
  const found = file && (await bytesOf(file));
  if (!file || !found) return notFound;
  const type = shownTypes.test(found.type)
    ? found.type
    : (typeByName(file.name) ?? 'application/octet-stream');
  const isShown = shownTypes.test(type);
  return {
    status: 200,
    body: found.bytes,
    headers: {
      ...headers,
      'content-type': type,
      'content-security-policy': "default-src 'none'; sandbox",
      ...(!isShown && { 'content-disposition': 'attachment' }),
    },
  };
}

const namedTypes: readonly (readonly [end: RegExp, type: string])[] = [
  [/\.png$/i, 'image/png'],
  [/\.jpe?g$/i, 'image/jpeg'],
  [/\.gif$/i, 'image/gif'],
  [/\.webp$/i, 'image/webp'],
];

const typeByName = (name: string): string | undefined => namedTypes.find(([end]) => end.test(name))?.[1];

const done: ApiAnswer = { status: 200, body: {} };

async function perform(path: string[], call: ApiCall, control: Control): Promise<ApiAnswer> {
  const [kind, name = '', action = ''] = path;
  const { query } = call;
  if (kind === 'providers') {
    const provider = control.providers.get(name);
    if (!provider) return notFound;
    await changeProvider(provider, action, query);
    control.feed.tick(control.providers);
    return done;
  }
  const found = kind === 'phones' ? phoneNamed(name, control) : null;
  if (!found) return notFound;
  await usePhone(found.provider, found.phone, action, call, control);
  return done;
}

function phoneNamed(id: string, { providers }: Control): { provider: Provider; phone: Phone } | null {
  for (const provider of providers.values()) {
    for (const phone of provider.phones.values()) if (phone.id === id) return { provider, phone };
  }
  return null;
}

async function changeProvider(provider: Provider, action: string, query: URLSearchParams): Promise<void> {
  switch (action) {
    case 'mood':
      provider.mood = moodIn(query, provider);
      return;
    case 'address':
      await enterAddress(provider, query.get('address') ?? '');
      return;
    case 'phones': {
      const number = Number(query.get('number') ?? Math.max(0, ...provider.phones.keys()) + 1);
      if (!(Number.isInteger(number) && number >= 1 && number <= mostPhones))
        throw new Wrong('There is no such phone.');
      provider.open(number);
      return;
    }
    case 'crowd': {
      const size = Number(query.get('people'));
      if (!Number.isInteger(size) || size < 1) throw new Wrong('Name a number of people.');
      provider.gather(size);
      return;
    }
    default:
      throw new Wrong('There is no such action.');
  }
}

function moodIn(query: URLSearchParams, { player }: Provider): Mood {
  const mood = moods.find((known) => known === query.get('mood'));
  if (mood === undefined || !player.moods.includes(mood)) throw new Wrong('This provider has no such mood.');
  return mood;
}

async function enterAddress({ player }: Provider, address: string): Promise<void> {
  if (!player.enter) throw new Wrong('The channel itself gives this provider its address.');
  if (!/^https?:/.test(URL.parse(address)?.protocol ?? '')) throw new Wrong('This is not an address.');
  await player.enter(address).catch((error: Error) => {
    throw new Wrong(error.message);
  });
}

async function usePhone(
  provider: Provider,
  phone: Phone,
  action: string,
  call: ApiCall,
  control: Control,
): Promise<void> {
  const { query } = call;
  switch (action) {
    case 'say':
      await provider.say(phone, saidIn(call, provider, control));
      return;
    case 'read':
      await provider.read(phone);
      return;
    case 'block':
      await provider.block(phone, query.get('is') === 'true').catch(() => {});
      return;
    case 'reading':
      provider.setReading(phone, query.get('at_once') === 'true');
      return;
    default:
      throw new Wrong('There is no such action.');
  }
}

const mostText = 100_000;

function wordsIn(body: Buffer): string {
  const text = body.toString();
  if (text.trim() === '' || text.length > mostText)
    throw new Wrong('Write a text of up to 100,000 characters.');
  return text;
}

/** What the person says is in the query. The body is a file. */
function saidIn(
  { query, body, headers: { 'content-type': type } }: ApiCall,
  provider: Provider,
  control: Control,
): Said {
  const kind = provider.player.says.find((known) => known === query.get('kind'));
  const text = query.get('text') ?? '';
  switch (kind) {
    case undefined:
      throw new Wrong('Nobody can send this here.');
    case 'text':
      return { kind, text: wordsIn(body) };
    case 'press':
      return { kind, label: text, press: query.get('press') ?? '', message: query.get('message') ?? '' };
    case 'place':
      return { kind, latitude: 55.751244, longitude: 37.618423 };
    case 'contact':
      return { kind };
    default: {
      if (body.length === 0) throw new Wrong('The file is empty.');
      const name = query.get('name') || 'file';
      const mediaType = type ?? 'application/octet-stream';
      const id = control.files.keep({ name, type: mediaType, bytes: body });
      return {
        kind,
        text,
        file: { id, name, type: mediaType, bytes: body, url: `${control.address}${filePath(id, name)}` },
      };
    }
  }
}
