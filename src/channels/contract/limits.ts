import type { Adapter, OutgoingMessage } from './adapter.ts';

type Limits = Adapter['limits'];

/** How many characters a text of this kind may have: a picture's and a file's is a caption. */
export const longestText = ({ text, caption }: Limits, type: OutgoingMessage['type']): number =>
  type === 'image' || type === 'document' ? caption : text;

/**
 * Why a messenger does not take the message as it is, in words; null where it does. Nothing is cut, and nothing sent in
 * parts. Source: docs/contract.md, section 3.
 */
export function overLimit(
  limits: Limits,
  { type, text, buttons }: Pick<OutgoingMessage, 'type' | 'text' | 'buttons'>,
): string | null {
  const characters = text === null ? 0 : charactersOf(text);
  const most = longestText(limits, type);
  if (characters > most) return `The text has ${characters} characters, and this messenger takes ${most}.`;
  if (buttons.length > limits.buttons) {
    return `There are ${buttons.length} buttons, and this messenger takes ${limits.buttons}.`;
  }
  const long = buttons.find(
    ({ text: label, payload, url }) => !url && Buffer.byteLength(payload ?? label) > limits.payloadBytes,
  );
  if (!long) return null;
  return `The button "${Array.from(long.text).slice(0, 50).join('')}" carries more than the ${limits.payloadBytes} bytes that this messenger takes.`;
}

/** Lengths are counted in code points everywhere. */
export function charactersOf(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}
