const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-chat]')];

export function focusRow(position: number): void {
  const all = rows();
  all[Math.max(0, Math.min(position, all.length - 1))]?.focus();
}

/** Starts from the focused row, or from the open chat. */
export function moveFocus(step: 1 | -1): void {
  const all = rows();
  const focused = all.findIndex((row) => row.matches(':focus'));
  const from = focused >= 0 ? focused : all.findIndex((row) => row.hasAttribute('aria-current'));
  focusRow(from < 0 ? 0 : from + step);
}

/** Where focus goes when the operator leaves a chat. */
export function focusOpenRow(chat: string): void {
  const all = rows();
  (all.find((row) => row.dataset.chat === chat) ?? all[0])?.focus();
}
