import type { OutboundAnswer } from '../../platform/outbound/outbound.ts';

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
