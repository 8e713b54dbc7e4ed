import type { Button } from '../../contract/adapter.ts';
import { jsonIn } from '../../shared/json.ts';
import { rowsOf } from '../../shared/rows.ts';

const MOST_ROWS = 6;

export const keyboardOf = (buttons: readonly Button[]): object => ({
  inline: true,
  buttons: rowsOf(buttons, MOST_ROWS).map((row) => row.map((button) => ({ action: actionOf(button) }))),
});

/** VK requires JSON as a payload. */
const actionOf = ({ text, url, payload }: Button): object =>
  url
    ? { type: 'open_link', link: url, label: text }
    : { type: 'text', label: text, payload: JSON.stringify({ button: payload ?? text }) };

/** The partner's own payload, which our keyboards wrap in JSON. Any other payload is unchanged. */
export function payloadIn(payload: unknown): string | null {
  const value = typeof payload === 'string' ? (jsonIn(Buffer.from(payload)) ?? payload) : payload;
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && value !== null && 'button' in value && typeof value.button === 'string') {
    return value.button;
  }
  return value === undefined || value === null ? null : JSON.stringify(value);
}
