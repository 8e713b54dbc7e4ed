/** @import { Drawing } from './options.js' */
/** @import { Log } from './log.js' */
import { element, icon } from './dom.js';

const longestText = 4096;
/** As long as the service says that it holds. */
const typingMs = 5_000;
const accepted =
  'image/jpeg,image/png,image/gif,image/webp,.pdf,.txt,.csv,.zip,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.odt,.ods,.odp,.mp3,.ogg,.m4a,.mp4';

/**
 * The window: heading, messages, and where one writes.
 * @param {Pick<Drawing, 'title' | 'words'>} drawing
 * @param {Log} log
 * @param {{ onSend: (text: string) => void, onFile: (file: File) => void, onClose: () => void }} wiring
 */
export function createPanel({ title, words }, log, { onSend, onFile, onClose }) {
  const state = element('span', { class: 'state', role: 'status' });
  const close = element(
    'button',
    { type: 'button', class: 'close', 'aria-label': words.close },
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
    placeholder: words.placeholder,
    'aria-label': words.message,
    enterkeyhint: 'send',
    autocomplete: 'off',
  });
  const send = element(
    'button',
    { type: 'submit', class: 'send', 'aria-label': words.send, disabled: true },
    icon('send'),
  );
  const files = element('input', {
    type: 'file',
    accept: accepted,
    multiple: true,
    hidden: true,
    tabindex: '-1',
  });
  const attach = element(
    'button',
    { type: 'button', class: 'attach', 'aria-label': words.attach },
    icon('clip'),
  );
  const form = element('form', {}, files, attach, input, send);
  const credit = element('div', { class: 'credit' }, words.credit);
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

  /** @param {Iterable<File> | null | undefined} chosen */
  function sendFiles(chosen) {
    if (input.disabled) return;
    for (const file of chosen ?? []) onFile(file);
    input.focus();
  }

  attach.addEventListener('click', () => files.click());
  files.addEventListener('change', () => {
    sendFiles(files.files);
    files.value = '';
  });
  input.addEventListener('paste', (event) => {
    if (!event.clipboardData?.files.length) return;
    event.preventDefault();
    sendFiles(event.clipboardData.files);
  });
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
    sendFiles(event.dataTransfer.files);
  });

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

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;

  function endTyping() {
    if (typing === undefined) return;
    clearTimeout(typing);
    typing = undefined;
    state.textContent = words.here;
  }

  return {
    node,
    endTyping,

    /** @param {string} author */
    showTyping(author) {
      clearTimeout(typing);
      typing = setTimeout(endTyping, typingMs);
      state.textContent = `${author} ${words.typing}`;
    },
    focus: () => input.focus({ preventScroll: true }),

    /** @param {boolean} connected */
    setConnected(connected) {
      clearTimeout(typing);
      typing = undefined;
      node.dataset.connected = String(connected);
      if (connected) state.textContent = words.here;
      else state.textContent = navigator.onLine ? words.connecting : words.offline;
    },

    setUnavailable() {
      state.textContent = words.unavailable;
      input.disabled = true;
      attach.disabled = true;
    },
  };
}
