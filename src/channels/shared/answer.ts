import type { OutboundAnswer } from '../../platform/outbound/outbound.ts';
import { retryAfterMs } from '../../platform/outbound/retry-after.ts';
import type { SendError } from '../contract/errors.ts';
import { ForPeople, refusalOf } from '../contract/failure.ts';

/** A provider's refusal. `code` is the provider's own. Null if another server on the way answered. */
export type Refused<Code = number> = {
  ok: false;
  status: number;
  code: Code | null;
  detail: string;
  retryAfterMs: number | null;
};

/** A provider's answer to a call. */
export type Answered<Body = unknown, Code = number> = { ok: true; body: Body } | Refused<Code>;

type Told<Code> = {
  /** The provider's name, for people. */
  by: string;
  code: Code | null;
  /** The provider's own words, if there are any. */
  words: string | null | undefined;
  secrets: readonly string[];
  /** The time from which a date in the answer is counted. */
  now: Date;
};

export const refusedBy = <Code>(
  { status, headers }: OutboundAnswer,
  { by, code, words, secrets, now }: Told<Code>,
): Refused<Code> => ({
  ok: false,
  status,
  code,
  detail: readableWords(words || `${by} answered ${status}.`, secrets),
  retryAfterMs: retryAfterMs(headers['retry-after'], now),
});

/**
 * The data in an answer. Throws text for people.
 * @param errorOf says whether the credentials were refused, and `CredentialsRefused` is thrown
 */
export function given<Body, Refusal extends Refused<unknown>>(
  answer: { ok: true; body: Body } | Refusal,
  by: string,
  errorOf?: (refused: Refusal) => SendError,
): Body {
  if (answer.ok) return answer.body;
  const text = `${by} refused: ${answer.detail}`;
  throw errorOf ? refusalOf(text, errorOf(answer)) : new ForPeople(text);
}

const MAX_DETAIL_LENGTH = 500;

/** A page comes from another server on the way, or is a captcha. Its status says nothing about the message. */
export const isPage = ({ headers, body }: OutboundAnswer): boolean =>
  (headers['content-type'] ?? '').includes('html') ||
  body.toString('latin1', 0, 64).trimStart().startsWith('<');

/** The provider's words without secrets, because they may repeat the request, credentials included. */
export const readableWords = (words: string, secrets: readonly string[]): string =>
  secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((text, secret) => text.replaceAll(secret, '***'), words.replaceAll('\0', ''))
    .slice(0, MAX_DETAIL_LENGTH)
    .toWellFormed();
