import { useEffect, useEffectEvent } from 'react';

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** A dialog has the keyboard to itself, even where nothing in it has the focus any more. */
const isInDialog = (target: EventTarget | null): boolean =>
  document.querySelector('[role=dialog]') !== null ||
  (target instanceof HTMLElement && target.closest('[role=menu]') !== null);

/** A letter is known by its place on the keyboard, so that Alt+T works in every layout. */
const nameOf = ({ key, code, altKey, ctrlKey, metaKey }: KeyboardEvent): string | null => {
  if (ctrlKey || metaKey) return null;
  return altKey ? `Alt+${code.replace('Key', '')}` : key;
};

/** Acts on keys pressed anywhere on the page. What is typed into a field, or belongs to a dialog, is not meant for it. */
export function useKeys(acts: Readonly<Record<string, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent, isInDialog: boolean) => {
    const name = nameOf(event);
    const act = name === null ? undefined : acts[name];
    if (!name || !act || event.defaultPrevented || isInDialog) return;
    if (name.length === 1 && isWriting(event.target)) return;
    // Elsewhere they scroll, or move what has the keyboard.
    if (name.startsWith('Arrow') && event.target !== document.body) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    // The key that closes a dialog is looked at before the dialog is gone.
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
