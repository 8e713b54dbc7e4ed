/** @import { Words } from './texts.js' */
import { element, icon } from './dom.js';

const longestText = 4096;
const accepted =
  'image/jpeg,image/png,image/gif,image/webp,.pdf,.txt,.csv,.zip,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.odt,.ods,.odp,.mp3,.ogg,.m4a,.mp4';

/**
 * The input field and the file button.
 * @param {Words} words
 * @param {{ onSend: (text: string) => void, onFile: (file: File) => void }} wiring
 */
export function createComposer(words, { onSend, onFile }) {
  const { node, input, send, files, attach } = drawComposer(words);

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
  input.addEventListener('input', fit);
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  node.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });

  return {
    node,
    sendFiles,
    focus: () => input.focus({ preventScroll: true }),

    disable() {
      input.disabled = true;
      attach.disabled = true;
    },
  };
}

/** @param {Words} words */
function drawComposer(words) {
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
  const node = element('form', {}, files, attach, input, send);
  return { node, input, send, files, attach };
}
