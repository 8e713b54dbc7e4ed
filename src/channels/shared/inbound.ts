import { constantTimeEqual } from '../../platform/secrets/secret.ts';
import type { Correspondent, InboundEvent, InboundMessage, InboundRequest } from '../contract/inbound.ts';

/** The parts of a client's message that are not empty. */
export type Content = Partial<InboundMessage> & Pick<InboundMessage, 'type'>;

export const messageOf = (chat: Correspondent, externalId: string, content: Content): InboundEvent => ({
  kind: 'message',
  chat,
  message: { externalId, text: null, url: null, payload: null, ...content },
});

/** A client came by a link with a parameter. The text is the one that Telegram sends. */
export const startOf = (chat: Correspondent, externalId: string, ref: string): InboundEvent =>
  messageOf(chat, externalId, { type: 'text', text: `/start ${ref}`, ref });

/** A message with several files becomes as many messages. */
export const messagesOf = (
  chat: Correspondent,
  externalId: string,
  contents: readonly Content[],
): InboundEvent[] =>
  contents.map((content, place) =>
    messageOf(chat, place === 0 ? externalId : `${externalId}:${place}`, content),
  );

/** The text goes with the first file. Without files it is the message. */
export function contentsOf(
  texts: readonly (string | null | undefined)[],
  [first, ...others]: readonly Content[],
): Content[] {
  const text = texts.filter(Boolean).join('\n') || null;
  if (first) return [{ ...first, text }, ...others];
  return text === null ? [] : [{ type: 'text', text }];
}

/** Whether a header proves the caller. Its name is in lower case. */
export function isProved({ headers }: InboundRequest, name: string, proof: string): boolean {
  const shown = headers[name];
  return typeof shown === 'string' && constantTimeEqual(shown, proof);
}
