import type { Correspondent, InboundEvent, InboundMessage } from '../contract/inbound.ts';

/** The parts of a client's message that are not empty. */
export type Content = Partial<InboundMessage> & Pick<InboundMessage, 'type'>;

export const messageOf = (chat: Correspondent, externalId: string, content: Content): InboundEvent => ({
  kind: 'message',
  chat,
  message: { externalId, text: null, url: null, payload: null, ...content },
});

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
