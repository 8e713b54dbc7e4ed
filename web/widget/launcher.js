import { element, icon } from './dom.js';

/**
 * The round button, the number of unread messages on it, and the last one of them beside it.
 * @param {{ onToggle: () => void, onOpen: () => void }} wiring
 */
export function createLauncher({ onToggle, onOpen }) {
  const badge = element('span', { class: 'badge', 'aria-hidden': 'true', hidden: true });
  const button = element(
    'button',
    { type: 'button', class: 'launcher', 'aria-controls': 'panel', 'aria-expanded': 'false' },
    icon('chat'),
    icon('down'),
    badge,
  );
  const words = element('button', { type: 'button', class: 'words' });
  const dismiss = element(
    'button',
    { type: 'button', class: 'dismiss', 'aria-label': 'Dismiss' },
    icon('close'),
  );
  const preview = element('div', { class: 'preview', role: 'status', hidden: true }, words, dismiss);

  button.addEventListener('click', onToggle);
  words.addEventListener('click', onOpen);
  dismiss.addEventListener('click', () => {
    preview.hidden = true;
  });

  return {
    nodes: [preview, button],
    focus: () => button.focus(),

    /**
     * @param {boolean} isOpen
     * @param {number} unread
     */
    show(isOpen, unread) {
      const news = unread === 0 ? '' : `, ${unread} unread`;
      button.setAttribute('aria-expanded', String(isOpen));
      button.setAttribute('aria-label', isOpen ? 'Close the chat' : `Open the chat${news}`);
      badge.hidden = isOpen || unread === 0;
      badge.textContent = unread > 99 ? '99+' : String(unread);
      if (isOpen || unread === 0) preview.hidden = true;
    },

    /** @param {string} text */
    announce(text) {
      words.textContent = text;
      preview.hidden = false;
    },
  };
}
