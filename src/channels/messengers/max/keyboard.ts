import type { Button } from '../../contract/adapter.ts';

const MOST_ROWS = 30;
const MOST_LINKS_IN_ROW = 3;

/**
 * One button per row while there is room: labels of any length stay readable on a phone. Null for more links than
 * fit.
 */
export function keyboardOf(buttons: readonly Button[]): object[] | null {
  if (buttons.length === 0) return [];
  const perRow = Math.ceil(buttons.length / MOST_ROWS);
  if (perRow > MOST_LINKS_IN_ROW && buttons.some(({ url }) => url)) return null;
  const rows = Array.from({ length: Math.ceil(buttons.length / perRow) }, (_, row) =>
    buttons.slice(row * perRow, (row + 1) * perRow).map(keyOf),
  );
  return [{ type: 'inline_keyboard', payload: { buttons: rows } }];
}

const keyOf = ({ text, url, payload }: Button): object =>
  url ? { type: 'link', text, url } : { type: 'callback', text, payload: payload ?? text };
