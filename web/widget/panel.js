/** @import { Options } from './options.js' */
/** @import { Log } from './log.js' */
import { element, icon } from './dom.js';

const longestText = 4096;

/**
 * The window: heading, messages, and where one writes.
 * @param {Options} options
 * @param {Log} log
 * @param {{ onSend: (text: string) => void, onClose: () => void }} wiring
 */
export function createPanel({ title }, log, { onSend, onClose }) {
  const state = element('span', { class: 'state', role: 'status' });
  const close = element(
    'button',
    { type: 'button', class: 'close', 'aria-label': 'Close the chat' },
    icon('close'),
  );
  const heading = element(
    'header',
    {},
    element('span', { class: 'sign', 'aria-hidden': 'true' }, icon('chat')),
    element('div', {}, element('h2', { id: 'title' }, title), state),
    close,
  );

  const input = element('textarea', {
    rows: '1',
    maxlength: String(longestText),
    placeholder: 'Write a message…',
    'aria-label': 'Message',
    enterkeyhint: 'send',
    autocomplete: 'off',
  });
  const send = element(
    'button',
    { type: 'submit', class: 'send', 'aria-label': 'Send', disabled: true },
    icon('send'),
  );
  const form = element('form', {}, input, send);
  const credit = element('div', { class: 'credit' }, 'Runs on Patchbay');
  const node = element(
    'section',
    { class: 'panel', id: 'panel', role: 'dialog', 'aria-labelledby': 'title', hidden: true },
    heading,
    log.node,
    form,
    credit,
  );

  function fit() {
    input.style.height = 'auto';
    input.style.height = `${input.scrollHeight}px`;
    send.disabled = input.value.trim() === '';
  }

  function submit() {
    const text = input.value.trim();
    if (text === '') return;
    onSend(text);
    input.value = '';
    fit();
    input.focus();
  }

  input.addEventListener('input', fit);
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  close.addEventListener('click', onClose);
  node.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  });

  return {
    node,
    focus: () => input.focus({ preventScroll: true }),

    /** @param {boolean} connected */
    setConnected(connected) {
      node.dataset.connected = String(connected);
      state.textContent = connected ? 'We are here' : 'Connecting…';
    },

    setUnavailable() {
      state.textContent = 'Not available on this page';
      input.disabled = true;
    },
  };
}
