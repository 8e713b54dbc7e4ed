import { setTimeout as pause } from 'node:timers/promises';
import type { ApiAnswer, ApiCall, HttpApi } from './http-api.ts';
import { type Mood, moods, type Player, type Rules } from './player.ts';

/** How the HTTP API of a provider refuses, in its own words. */
export type Refusals = {
  /** The recipient of the message that this call sends. Null for other calls. */
  recipientOf(call: ApiCall): number | null;
  credentials: ApiAnswer;
  /** `seconds` is the hint. Null for none. */
  busy(seconds: number | null): ApiAnswer;
  unknownPerson: ApiAnswer;
  /** Null if the provider accepts the message and reports its failure later, or has no such state. */
  blocked: ApiAnswer | null;
  windowClosed: ApiAnswer | null;
  /** Whether a closed window matters to this call. Absent if it matters to each. */
  needsWindow?(call: ApiCall): boolean;
};

/** The refusal of one call too many. `seconds` is the hint. Null for none. */
export const tooMany = (seconds: number | null, body: unknown = {}): ApiAnswer => ({
  status: 429,
  body,
  ...(seconds !== null && { headers: { 'retry-after': String(seconds) } }),
});

export const hintSeconds = 5;
export const slowMs = 4_000;

const unavailable: ApiAnswer = { status: 503, body: 'Service Unavailable' };
const page: ApiAnswer = {
  status: 502,
  body: '<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>',
  headers: { 'content-type': 'text/html' },
};

/** Lets an HTTP API obey rules. */
export function obeying(api: Pick<HttpApi, 'react'>, refusals: Refusals): Pick<Player, 'obey' | 'moods'> {
  return {
    moods: moods.filter((mood) => mood !== 'window_closed' || refusals.windowClosed !== null),
    obey: (rules) =>
      api.react(async (call) => {
        const person = refusals.recipientOf(call);
        const standing = person === null ? 'open' : rules.standing(person);
        const answer = await answerTo(call, rules.mood(), standing, person !== null, refusals);
        if (answer !== null && person !== null)
          rules.refused(person, standing === 'open' ? rules.mood() : standing);
        return answer;
      }),
  };
}

/** Null for a call that the provider does not refuse. */
async function answerTo(
  call: ApiCall,
  mood: Mood,
  standing: ReturnType<Rules['standing']>,
  isSend: boolean,
  refusals: Refusals,
): Promise<ApiAnswer | null> {
  const { unknownPerson, blocked } = refusals;
  if (standing === 'gone') return unknownPerson;
  if (standing === 'blocked' && blocked !== null) return blocked;
  return (await generalAnswer(mood, call, refusals)) ?? (isSend ? answerToSend(mood, call, refusals) : null);
}

/** The answer to every call in this mood. */
async function generalAnswer(mood: Mood, { signal }: ApiCall, refusals: Refusals): Promise<ApiAnswer | null> {
  switch (mood) {
    case 'down':
      return unavailable;
    case 'page':
      return page;
    case 'hang':
      return 'hang';
    case 'credentials':
      return refusals.credentials;
    case 'slow':
      await pause(slowMs, undefined, { signal }).catch(() => {});
      return signal.aborted ? 'close' : null;
    default:
      return null;
  }
}

function answerToSend(mood: Mood, call: ApiCall, refusals: Refusals): ApiAnswer | null {
  const { busy, windowClosed, needsWindow } = refusals;
  switch (mood) {
    case 'busy':
      return busy(null);
    case 'busy_with_hint':
      return busy(hintSeconds);
    case 'window_closed':
      return needsWindow?.(call) === false ? null : windowClosed;
    default:
      return null;
  }
}
