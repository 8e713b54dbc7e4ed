/** @import { Bubble, Phone, Provider } from './types.ts' */
import { pressButton } from './api.js';
import { button, element, icon } from './dom.js';
import { language, words } from './texts.js';

const clock = new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit' });

/**
 * One message on a phone. Only receipts of its provider are marked.
 * @param {Bubble} bubble
 * @param {Phone} phone
 * @param {Provider} provider
 */
export function bubbleView(bubble, phone, { receipts }) {
  if (bubble.direction === 'note') return noteView(bubble);
  return element(
    'div',
    { class: `bubble ${bubble.direction}`, 'data-id': bubble.id },
    bubble.subject !== '' && element('strong', { class: 'subject' }, bubble.subject),
    ...bubble.files.map(fileView),
    bubble.text !== '' && element('p', {}, ...linked(bubble.text)),
    footView(bubble, receipts),
    bubble.state === 'failed' && element('p', { class: 'complaint' }, bubble.detail),
    bubble.buttons.length > 0 && buttonsView(bubble, phone),
  );
}

/** @param {Bubble} bubble */
function noteView({ id, detail, refusals }) {
  /** @type {Record<string, string>} */
  const reasons = words.moods;
  const times = refusals > 1 ? ` × ${refusals}` : '';
  return element(
    'div',
    { class: 'note', 'data-id': id },
    `${words.refusal}: ${reasons[detail] ?? detail}${times}`,
  );
}

/** @param {Bubble['files'][number]} file */
function fileView({ kind, name, url }) {
  if (kind === 'image') {
    const picture = element('img', { src: url, alt: name || words.image, loading: 'lazy' });
    return element('a', { href: url, target: '_blank', class: 'picture' }, picture);
  }
  if (kind === 'voice') return element('audio', { src: url, controls: true, preload: 'none' });
  return element('a', { href: url, download: name, class: 'file' }, icon('file'), name);
}

/** @param {string} text */
const linked = (text) =>
  text
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?…»›”“’‘)])/)
    .map((part, place) =>
      place % 2 === 1 ? element('a', { href: part, target: '_blank', rel: 'noreferrer' }, part) : part,
    );

/** @param {Bubble} bubble @param {string[]} receipts */
function footView({ at, direction, state, isAnswered, receipt }, receipts) {
  const time = element('time', { datetime: new Date(at).toISOString() }, clock.format(at));
  const known = receipt && receipts.includes(receipt) ? receiptMark(receipt) : null;
  const mark = direction === 'out' ? stateMark(state) : known;
  return element('div', { class: 'foot' }, time, mark, isAnswered !== null && answerMark(isAnswered));
}

/** @param {Bubble['state']} state */
function stateMark(state) {
  if (state === 'sending') return mark('clock', words.sending);
  return state === 'failed' ? mark('warning', words.notSent) : mark('check', words.sent);
}

/**
 * Of a pressed button. It is busy until Patchbay answers.
 * @param {boolean} isAnswered
 */
const answerMark = (isAnswered) =>
  isAnswered ? mark('checks', words.pressAnswered) : mark('clock', words.pressBusy);

/** @param {'delivered' | 'read'} receipt */
const receiptMark = (receipt) => mark(receipt === 'read' ? 'checks' : 'check', words.receipts[receipt]);

/** @param {Parameters<typeof icon>[0]} drawing @param {string} label */
const mark = (drawing, label) =>
  element(
    'span',
    { class: `mark mark-${drawing}`, role: 'img', 'aria-label': label, title: label },
    icon(drawing),
  );

/** @param {Bubble} bubble @param {Phone} phone */
function buttonsView({ id, buttons }, phone) {
  const views = buttons.map(({ label, url, press }) => {
    if (url)
      return element('a', { class: 'press', href: url, target: '_blank', rel: 'noreferrer' }, `${label} ↗`);
    return button(label, 'press', () => pressButton(phone.id, { label, press: press ?? '', message: id }));
  });
  return element('div', { class: 'presses' }, ...views);
}
