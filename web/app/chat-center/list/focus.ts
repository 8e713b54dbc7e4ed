const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-chat]')];

export function focusRow(position: number): void {
  const all = rows();
  all[Math.max(0, Math.min(position, all.length - 1))]?.focus();
}

/** From the row that has the keyboard, or else from the open chat’s. */
export function moveFocus(step: 1 | -1): void {
  const all = rows();
  const focused = all.findIndex((row) => row.matches(':focus'));
  const from = focused >= 0 ? focused : all.findIndex((row) => row.hasAttribute('aria-current'));
  focusRow(from < 0 ? 0 : from + step);
}

/** Where the keyboard goes when a chat is left. */
export function focusOpenRow(chat: string): void {
  const all = rows();
  (all.find((row) => row.dataset.chat === chat) ?? all[0])?.focus();
}
