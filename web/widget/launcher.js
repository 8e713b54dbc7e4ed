/** @import { Words } from './texts.js' */
import { element, icon } from './dom.js';

/**
 * The round button, its badge with the number of unread messages, and the last message beside it.
 * @param {Words} words
 * @param {{ onToggle: () => void, onOpen: () => void }} wiring
 */
export function createLauncher(words, { onToggle, onOpen }) {
  const badge = element('span', { class: 'badge', 'aria-hidden': 'true', hidden: true });
  const button = element(
    'button',
    { type: 'button', class: 'launcher', 'aria-controls': 'panel', 'aria-expanded': 'false' },
    icon('chat'),
    icon('down'),
    badge,
  );
  const last = element('button', { type: 'button', class: 'words' });
  const dismiss = element(
    'button',
    { type: 'button', class: 'dismiss', 'aria-label': words.dismiss },
    icon('close'),
  );
  const preview = element('div', { class: 'preview', role: 'status', hidden: true }, last, dismiss);

  button.addEventListener('click', onToggle);
  last.addEventListener('click', onOpen);
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
      const news = unread === 0 ? '' : `, ${unread} ${words.unread}`;
      button.setAttribute('aria-expanded', String(isOpen));
      button.setAttribute('aria-label', isOpen ? words.close : words.open + news);
      badge.hidden = isOpen || unread === 0;
      badge.textContent = unread > 99 ? '99+' : String(unread);
      if (isOpen || unread === 0) preview.hidden = true;
    },

    /** @param {string} text */
    announce(text) {
      last.textContent = text;
      preview.hidden = false;
    },
  };
}
