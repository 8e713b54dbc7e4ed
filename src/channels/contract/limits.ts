import { charactersOf } from '../../platform/characters.ts';
import type { OutgoingMessage } from './adapter.ts';
import type { Limits } from './capabilities.ts';

/** The longest text of this type: a caption for a picture or a file. */
export const longestText = ({ text, caption }: Limits, type: OutgoingMessage['type']): number =>
  type === 'image' || type === 'document' ? caption : text;

/**
 * The reason in words why a messenger does not accept the message. Null if it does. Nothing is cut or split. Source:
 * docs/contract.md, section 3.
 */
export function overLimit(
  limits: Limits,
  { type, text, buttons }: Pick<OutgoingMessage, 'type' | 'text' | 'buttons'>,
): string | null {
  const length = text === null ? 0 : lengthOf(limits, text);
  const most = longestText(limits, type);
  if (length > most) return `The text has ${length} ${limits.counts}, and this messenger takes ${most}.`;
  if (buttons.length > limits.buttons) {
    return `There are ${buttons.length} buttons, and this messenger takes ${limits.buttons}.`;
  }
  const wide = buttons.find((button) => charactersOf(button.text) > limits.label);
  if (wide) return `The label "${shown(wide.text)}" has more than ${limits.label} characters.`;
  const heavy = buttons.find(
    ({ text: label, payload, url }) => !url && Buffer.byteLength(payload ?? label) > limits.payloadBytes,
  );
  if (!heavy) return null;
  return `The button "${shown(heavy.text)}" carries more than the ${limits.payloadBytes} bytes that this messenger takes.`;
}

const shown = (label: string): string => Array.from(label).slice(0, 50).join('');

/** In the messenger's unit. */
export const lengthOf = ({ counts }: Pick<Limits, 'counts'>, text: string): number =>
  counts === 'bytes' ? Buffer.byteLength(text) : charactersOf(text);
