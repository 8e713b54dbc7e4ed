import type { OutboundAnswer } from '../../platform/outbound/outbound.ts';

const MAX_DETAIL_LENGTH = 500;

/** A page comes from something on the way, or asks for proof of a person; its status says nothing of the message. */
export const isPage = ({ headers, body }: OutboundAnswer): boolean =>
  (headers['content-type'] ?? '').includes('html') ||
  body.toString('latin1', 0, 64).trimStart().startsWith('<');

/** The provider's words as people may read them: they can hold what was sent, credentials included. */
export const readableWords = (words: string, secrets: readonly string[]): string =>
  secrets
    .reduce((text, secret) => text.replaceAll(secret, '***'), words)
    .replaceAll('\0', '')
    .slice(0, MAX_DETAIL_LENGTH)
    .toWellFormed();
