import assert from 'node:assert/strict';
import { assertHarmless, send } from './answers.ts';
import { inConsole } from './console-probes.ts';
import { type Furnished, furnish } from './furnish.ts';
import { pauseAt, type Told, toldBy } from './matrix.ts';
import { type Place, placesOf, renewed } from './places.ts';
import { type Probe, probe, requestOf } from './probe.ts';
import { rowsOf, wordsIn } from './rows.ts';
import type { Scene } from './scene.ts';

/**
 * Letters that some system folds into others: a database's locale, a language's rules, or a name server. Each maps to
 * the letters that it may be confused with.
 */
const alike: Record<string, readonly string[]> = {
  i: ['\u0130', '\u0131', '\uff49'],
  s: ['\u017f', '\uff33'],
  ss: ['\u00df', '\u1e9e'],
  k: ['\u212a', '\uff4b'],
  '\u0131': ['i', 'I'],
  '\u017f': ['s', 'S'],
  '\u212a': ['k', 'K'],
};

/** Names in which every letter can be confused with another. */
export const lookalikeNames = ['kiss', 'K\u0131\u017f\u212a'];

export function furnishWith(
  { patchbay, alpha, receiver, bot }: Scene,
  name: string,
  digit: number,
): Promise<Furnished> {
  const outside = { webhookUrl: receiver.url, telegramRoot: bot.root };
  return furnish(patchbay, { name, digit, shared: alpha.shared, outside });
}

/** The text with one letter replaced by a lookalike, and a text that resembles neither. */
type Spelling = { text: string; stranger: string };

function spellingsOf(text: string, end = text.length): Spelling[] {
  return Object.entries(alike).flatMap(([letters, others]) => {
    const at = text.slice(0, end).lastIndexOf(letters);
    if (at === -1) return [];
    const put = (other: string): string => text.slice(0, at) + other + text.slice(at + letters.length);
    return others.map((other) => ({ text: put(other), stranger: put('q'.repeat(letters.length)) }));
  });
}

/** Typed searches, where the other probes use numbers. */
export function searchesOf(own: Furnished): Probe[] {
  const { name, profileExternalId } = own;
  const words = [`telegram_${name}`, `hush@${name}.test`, profileExternalId];
  return words.flatMap((search) => [
    probe('GET /console/api/profiles/', inConsole(own), { query: { search } }),
    probe('GET /chat-center/api/chats/', inConsole(own), { query: { list: 'all', search } }),
  ]);
}

/** The valid call, another spelling in one of its places, and an unknown name in the same place. */
type Spelled = { probe: Probe; place: Place; odd: Probe; stranger: Probe; spelling: Spelling };

export function* spelledCalls(probes: readonly Probe[]): Generator<Spelled> {
  const done = new Set<string>();
  for (const probe of probes) {
    for (const place of placesOf(renewed(probe))) {
      const { name, value } = place;
      const once = `${probe.route} ${name} ${value}`;
      if (typeof value !== 'string' || isApart(probe, place) || done.has(once)) continue;
      done.add(once);
      // A domain is equal in all spellings that a name server accepts for it.
      const end = name === 'email' ? value.lastIndexOf('@') : value.length;
      for (const spelling of spellingsOf(value, end)) {
        yield {
          probe,
          place,
          odd: place.put(spelling.text),
          stranger: placeAgain(probe, place).put(spelling.stranger),
          spelling,
        };
      }
    }
  }
}

/** The same place of a call with another name: the first call may have taken its name. */
const placeAgain = (probe: Probe, place: Place): Place =>
  (probe.once === 'name' && placesOf(renewed(probe)).find(({ name }) => name === place.name)) || place;

/**
 * A password is equal in every width of its letters, by Unicode's NFKC. A draft is completed once. The text of a
 * scenario is a file. Names of mailings are searched as the database folds. A list that is imported names nothing.
 */
const isApart = ({ route }: Probe, { name }: Place): boolean =>
  /^(password|again|current|source)$/.test(name) ||
  route === 'PUT /console/api/mailings/:uuid/' ||
  route === 'POST /console/api/suppressions/import/' ||
  (route === 'GET /console/api/mailings/' && name === '?search');

const isRefusal = ({ status, headers }: Told): boolean =>
  status >= 400 || (headers.location ?? '').includes('error=');

/** Calls like the matrix of names, without any rate limit in the way. */
async function tell(
  { patchbay, clock }: Scene,
  probe: Probe,
  sent: string[],
  own: Set<string>,
): Promise<Told> {
  const { sql } = patchbay.context;
  clock.advance(pauseAt(probe));
  await sql`delete from sign_in_attempts`;
  await sql`delete from rates`;
  const answer = await send(patchbay.address, requestOf(probe));
  assertHarmless(answer);
  return toldBy(answer, sent, (id) => own.has(id));
}

export async function ownWords(
  { patchbay: { context } }: Scene,
  { projectId }: Furnished,
): Promise<Set<string>> {
  return wordsIn((await rowsOf(context.sql, projectId)).map(({ json }) => json));
}

/** Checks that the spelling is refused, or answered like an unknown name. */
export async function assertNobodys(
  scene: Scene,
  { probe, place, odd, stranger, spelling }: Spelled,
  own: Set<string>,
): Promise<void> {
  const sent = [spelling.text, spelling.stranger];
  const told = await tell(scene, odd, sent, own);
  if (isRefusal(told)) return;
  assert.deepEqual(
    told,
    await tell(scene, stranger, sent, own),
    `${probe.route}, ${place.name}: ${spelling.text}`,
  );
}

/** Letters that any folding would change, and the number of their call. */
const marked = (call: number): string => `\u0130\u0131\u00df\u017f\u212a\uff21·${call}·`;

/** Appends these letters to the text in every place. Returns the accepted ones. */
export async function markEverything(
  scene: Scene,
  probes: readonly Probe[],
  own: Set<string>,
): Promise<string[]> {
  const taken: string[] = [];
  let call = 0;
  for (const probe of probes) {
    for (const { name, value } of placesOf(probe)) {
      if (typeof value !== 'string') continue;
      call += 1;
      const place = placesOf(renewed(probe)).find((candidate) => candidate.name === name);
      const told = await tell(scene, place?.put(value + marked(call)) ?? probe, [], own);
      if (!isRefusal(told)) taken.push(`${probe.route}, ${name}: ${marked(call)}`);
    }
  }
  return taken;
}

/** The marked texts of a row, in whatever form it is stored. */
export const marksIn = (text: string): string[] => text.match(/.{0,6}·\d+·/gu) ?? [];

export const isKept = (mark: string): boolean => mark === marked(Number(/\d+/.exec(mark)?.[0]));
