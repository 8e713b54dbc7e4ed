/** @import { Drawing } from './options.js' */
/** @import { Log } from './log.js' */
/** @import { Words } from './texts.js' */
import { createComposer } from './composer.js';
import { element, icon } from './dom.js';

/** The duration for which the service considers a typing report valid. */
const typingMs = 5_000;

/**
 * The window: heading, messages, and input field.
 * @param {Pick<Drawing, 'title' | 'words'>} drawing
 * @param {Log} log
 * @param {{ onSend: (text: string) => void, onFile: (file: File) => void, onClose: () => void }} wiring
 */
export function createPanel({ title, words }, log, { onSend, onFile, onClose }) {
  const state = createState(words);
  const close = element(
    'button',
    { type: 'button', class: 'close', 'aria-label': words.close },
    icon('close'),
  );
  const heading = element(
    'header',
    {},
    element('span', { class: 'sign', 'aria-hidden': 'true' }, icon('chat')),
    element('div', {}, element('h2', { id: 'title' }, title), state.node),
    close,
  );
  const composer = createComposer(words, { onSend, onFile });
  const credit = element('div', { class: 'credit' }, words.credit);
  const node = element(
    'section',
    { class: 'panel', id: 'panel', role: 'dialog', 'aria-labelledby': 'title', hidden: true },
    heading,
    log.node,
    composer.node,
    credit,
  );

  takeDrops(node, composer.sendFiles);
  close.addEventListener('click', onClose);
  node.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  });

  return {
    node,
    endTyping: state.endTyping,
    showTyping: state.showTyping,
    focus: composer.focus,

    /** @param {boolean} connected */
    setConnected(connected) {
      node.dataset.connected = String(connected);
      if (connected) state.tell(words.here);
      else state.tell(navigator.onLine ? words.connecting : words.offline);
    },

    setUnavailable() {
      state.tell(words.unavailable);
      composer.disable();
    },
  };
}

/**
 * The status in the heading: the connection, or the name of a person who is typing.
 * @param {Words} words
 */
function createState(words) {
  const node = element('span', { class: 'state', role: 'status' });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;

  function endTyping() {
    if (typing === undefined) return;
    clearTimeout(typing);
    typing = undefined;
    node.textContent = words.here;
  }

  return {
    node,
    endTyping,

    /** @param {string} author */
    showTyping(author) {
      clearTimeout(typing);
      typing = setTimeout(endTyping, typingMs);
      node.textContent = `${author} ${words.typing}`;
    },

    /** @param {string} text */
    tell(text) {
      clearTimeout(typing);
      typing = undefined;
      node.textContent = text;
    },
  };
}

/**
 * Accepts files that are dropped on it.
 * @param {HTMLElement} node
 * @param {(files: FileList) => void} onFiles
 */
function takeDrops(node, onFiles) {
  node.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    node.classList.add('dropping');
  });
  node.addEventListener('dragleave', () => node.classList.remove('dropping'));
  node.addEventListener('drop', (event) => {
    node.classList.remove('dropping');
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    onFiles(event.dataTransfer.files);
  });
}
