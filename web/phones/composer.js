/** @import { Kind, Phone, Provider } from './types.ts' */
import { sayFile, sayPlain, sayText } from './api.js';
import { button, element, icon } from './dom.js';
import { samplePicture, sampleVoice } from './samples.js';
import { words } from './texts.js';

/** @param {Phone} phone @param {Provider} provider */
export function composerView(phone, provider) {
  const field = element('textarea', {
    rows: '1',
    placeholder: words.placeholder,
    'aria-label': words.message,
  });
  const form = element('form', { class: 'composer' });
  const send = element(
    'button',
    { class: 'send', 'aria-label': words.send, title: words.send },
    icon('send'),
  );
  const fit = () => {
    field.rows = Math.min(5, field.value.split('\n').length);
  };
  const submit = () => {
    const text = field.value;
    if (text.trim() === '') return;
    field.value = '';
    fit();
    void sayText(phone.id, text);
  };
  field.addEventListener('input', fit);
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  form.append(attachView(phone, provider), field, send);
  return form;
}

/** @param {Phone} phone @param {Provider} provider */
function attachView(phone, { says }) {
  const menu = element('details', { class: 'menu attach' });
  /** @param {Kind} kind @param {string} label @param {() => unknown} act */
  const item = (kind, label, act) => {
    if (!says.includes(kind)) return null;
    return button(label, 'item', () => {
      menu.open = false;
      void act();
    });
  };
  const items = [
    item('image', words.picture, async () => sayFile(phone.id, 'image', await samplePicture(), '')),
    item('image', words.file, () => chooseFile(phone, says)),
    item('voice', words.voice, () => sayFile(phone.id, 'voice', sampleVoice(), '')),
    item('place', words.place, () => sayPlain(phone.id, 'place')),
    item('contact', words.contact, () => sayPlain(phone.id, 'contact')),
  ];
  const label = { class: 'opener', 'aria-label': words.attach, title: words.attach };
  menu.append(element('summary', label, icon('clip')), element('div', { class: 'items' }, ...items));
  return menu;
}

/** Of the person's disk. Pictures go as pictures. @param {Phone} phone @param {Kind[]} says */
function chooseFile(phone, says) {
  const input = element('input', { type: 'file', accept: says.includes('file') ? null : 'image/*' });
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    if (!file) return;
    const isPicture = file.type.startsWith('image/') || !says.includes('file');
    void sayFile(phone.id, isPicture ? 'image' : 'file', file, '');
  });
  input.click();
}
