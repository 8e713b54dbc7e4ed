import type { Button } from '../../contract/adapter.ts';
import { rowsOf } from '../../shared/rows.ts';

const MOST_ROWS = 30;
const MOST_LINKS_IN_ROW = 3;

/** Null for more links than fit. */
export function keyboardOf(buttons: readonly Button[]): object[] | null {
  if (buttons.length === 0) return [];
  const rows = rowsOf(buttons, MOST_ROWS);
  const isWide = rows.some(({ length }) => length > MOST_LINKS_IN_ROW);
  if (isWide && buttons.some(({ url }) => url)) return null;
  return [{ type: 'inline_keyboard', payload: { buttons: rows.map((row) => row.map(keyOf)) } }];
}

const keyOf = ({ text, url, payload }: Button): object =>
  url ? { type: 'link', text, url } : { type: 'callback', text, payload: payload ?? text };
