import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Answer, assertHarmless, send } from './answers.ts';
import { attacksWith, isOfProvider, put } from './attacks.ts';
import { type Foreign, foreign } from './foreign.ts';
import type { Place } from './places.ts';
import { type Probe, requestOf } from './probe.ts';
import { rowsOf, texts, wordsIn } from './rows.ts';
import type { Scene } from './scene.ts';

/** The rows of both projects before an attack, and the attacker's targets. */
export async function targetOf({ patchbay: { context }, alpha, bravo }: Scene) {
  const rows = ({ projectId }: { projectId: string }) => rowsOf(context.sql, projectId);
  const before = { alpha: await rows(alpha), bravo: await rows(bravo) };
  const own = wordsIn(before.alpha.map(({ json }) => json));
  const theirs = wordsIn(before.bravo.map(({ json }) => json));
  return { before, own, theirs, ...foreign(before.bravo, own) };
}

type Target = Awaited<ReturnType<typeof targetOf>>;
type Choice = (words: Foreign[]) => Foreign[];

export const everyName: Choice = (words) => words;

/** At each place one name of each form, and other names at the next place. */
export function oneOfEachForm(): Choice {
  let turn = 0;
  return (words) => {
    turn += 1;
    const forms = [...Map.groupBy(words, ({ form }) => form).values()];
    return forms.flatMap((alike) => alike.slice(turn % alike.length).slice(0, 1));
  };
}

/**
 * Puts the other project's names in every place. Each must be answered like an unknown name, and nothing may change
 * there.
 */
export async function attackWithNames(
  { patchbay, clock, bravo }: Scene,
  { before, own, theirs, named, hushed }: Target,
  probes: Probe[],
  choose: Choice,
): Promise<void> {
  const { sql } = patchbay.context;
  const begun = clock.now();
  const isOwnName = (value: string): boolean => own.has(value) && !theirs.has(value);
  const isKnown = (id: string): boolean => own.has(id) || theirs.has(id);
  for (const { probe, place, words } of attacksWith(named, probes, isOwnName)) {
    const nobody: string = randomUUID();
    const unknown = await call(put(probe, place, nobody), [nobody]);
    const chosen = choose(words);
    const together = togetherAt(probe);
    for (let from = 0; from < chosen.length; from += together) {
      clock.advance(pauseAt(probe));
      await sql`delete from sign_in_attempts`;
      await sql`delete from rates`;
      // A project has a limited number of them.
      await sql`delete from topics where created_at > ${begun}`;
      await sql`delete from audiences where created_at > ${begun}`;
      await Promise.all(
        chosen.slice(from, from + together).map((word) => compare(probe, place, word, unknown)),
      );
    }
  }
  assert.deepEqual(texts(await rowsOf(sql, bravo.projectId)), texts(before.bravo));

  /** `unknown` is the answer to an id of nothing. */
  async function compare(probe: Probe, place: Place, word: Foreign, unknown: Told): Promise<void> {
    const sent = [word.text, word.twin];
    const told = await call(put(probe, place, word.text), sent);
    assert.deepEqual(told, await asNobodys(), `${probe.route}, ${place.name}: ${word.text}`);

    async function asNobodys(): Promise<Told> {
      if (isOfProvider(probe, place)) return call({ ...put(probe, place, word.text), headers: {} }, sent);
      return word.form === 'uuid' ? unknown : call(put(probe, place, word.twin), sent);
    }
  }

  async function call(probe: Probe, sent: string[]): Promise<Told> {
    const answer = await send(patchbay.address, requestOf(probe));
    assertHarmless(answer);
    for (const told of hushed)
      assert.ok(!answer.text.includes(told), `${probe.route} tells ${told}: ${answer.text}`);
    return toldBy(answer, sent, isKnown);
  }
}

export type Told = { status: number; headers: Record<string, string>; text: string };

/** The answer, without the sent words, and without values that are new in every answer. */
export function toldBy(answer: Answer, sent: string[], isKnown: (id: string) => boolean): Told {
  const { date, 'x-request-id': requestId, 'content-length': length, etag, ...headers } = answer.headers;
  const written = sent.flatMap((word) => [
    word,
    word.toLowerCase(),
    new URLSearchParams({ word }).toString().slice(5),
  ]);
  const common = (text: string): string =>
    written
      .reduce((rest, word) => rest.replaceAll(word, '‹sent›'), text)
      .replace(newWords, (id) => (isKnown(id) ? id : '‹new›'));
  return {
    status: answer.status,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, common(value)])),
    text: common(answer.text),
  };
}

/** Attempts that change the same object run one after another. */
function togetherAt({ route }: Probe): number {
  // More concurrent attempts would delay the rest.
  if (route === 'POST /sign-in/' || route === 'POST /console/api/account/password/') return 2;
  // No more plays run at once.
  if (route === 'POST /console/api/scenarios/play/') return 2;
  // Each word makes two invitations, and one person has fifteen an hour.
  if (route === 'POST /console/api/team/') return 4;
  return /^(PUT|PATCH) /.test(route) ? 1 : 8;
}

/** The rate limits of a visitor, and of the stream. */
export function pauseAt({ route }: Probe): number {
  if (route === 'POST /widget/:channel/messages/') return 10_000;
  return route === 'POST /api/partners/stream/' ? 1_000 : 0;
}

/** Ids, sessions, tokens, generated codes and moments. */
const newWords =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|"session":"[^"]*"|[\w-]{43,}|[A-Z0-9]{10}(?=")|\d{4}-\d\d-\d\dT[\d:.]+Z/g;
