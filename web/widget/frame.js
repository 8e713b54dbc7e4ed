/** @import { View } from './view.js' */

/**
 * The state of the panel, and its display in the launcher.
 * @param {Pick<View, 'log' | 'panel' | 'launcher'>} view
 * @param {{ unseen: () => number, onOpened: () => void }} wiring
 */
export function createFrame({ log, panel, launcher }, { unseen, onOpened }) {
  let isOpen = false;

  const tellUnseen = () => launcher.show(isOpen, unseen());

  /** @param {boolean} opened */
  function show(opened) {
    isOpen = opened;
    panel.node.hidden = !opened;
    tellUnseen();
    if (!opened) return;
    log.toEnd();
    onOpened();
  }

  return {
    isOpen: () => isOpen,
    show,
    tellUnseen,

    open() {
      show(true);
      panel.focus();
    },

    close() {
      show(false);
      launcher.focus();
    },
  };
}
