import { useEffect, useEffectEvent } from 'react';

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** An open dialog handles all keys, even if no element in it has focus. */
const isInDialog = (target: EventTarget | null): boolean =>
  document.querySelector('[role=dialog]') !== null ||
  (target instanceof HTMLElement && target.closest('[role=menu]') !== null);

/** Letters are matched by their position on the keyboard, so Alt+T works in every layout. */
const nameOf = ({ key, code, altKey, ctrlKey, metaKey }: KeyboardEvent): string | null => {
  if (ctrlKey || metaKey) return null;
  return altKey ? `Alt+${code.replace('Key', '')}` : key;
};

/** Handles keys pressed anywhere on the page, except in fields and dialogs. */
export function useKeys(acts: Readonly<Record<string, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent, isInDialog: boolean) => {
    const name = nameOf(event);
    const act = name === null ? undefined : acts[name];
    if (!name || !act || event.defaultPrevented || isInDialog) return;
    if (name.length === 1 && isWriting(event.target)) return;
    // Elsewhere these keys scroll or move the focus.
    if (name.startsWith('Arrow') && event.target !== document.body) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    // A key that closes a dialog is handled before the dialog disappears.
    let inDialog = false;
    const look = ({ target }: KeyboardEvent) => {
      inDialog = isInDialog(target);
    };
    const listen = (event: KeyboardEvent) => onKey(event, inDialog);
    addEventListener('keydown', look, { capture: true });
    addEventListener('keydown', listen);
    return () => {
      removeEventListener('keydown', look, { capture: true });
      removeEventListener('keydown', listen);
    };
  }, []);
}
