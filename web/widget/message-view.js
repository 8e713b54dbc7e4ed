/** @import { Item } from './conversation.js' */
import { element, icon } from './dom.js';
import { fileName, partsOf, webAddress } from './text.js';

/**
 * @typedef {object} Actions
 * @property {(item: Item) => void} retry
 * @property {(text: string, payload: string) => void} press
 */

/** @typedef {{ node: HTMLElement, update: () => void }} MessageView */

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });

/**
 * One message on the screen.
 * @param {Item} item
 * @param {Actions} actions
 * @returns {MessageView}
 */
export function messageView(item, actions) {
  const meta = element('span', { class: 'meta' });
  const bubble = element('div', { class: 'bubble' }, ...content(item), meta);
  const buttons = item.buttons.length > 0 ? buttonRow(item, actions) : null;
  const author = item.author ? element('div', { class: 'author' }, item.author) : null;
  const speaker = `${item.from} ${item.author ?? ''}`;
  const node = element(
    'div',
    { class: `message ${item.from}`, 'data-speaker': speaker },
    author,
    bubble,
    buttons,
  );

  function update() {
    node.dataset.state = item.state;
    meta.replaceChildren(...metaOf(item, actions));
  }
  update();
  return { node, update };
}

/** @param {Item} item */
function content({ type, text, url }) {
  const words =
    text === '' ? [] : [element('span', { class: 'text', dir: 'auto' }, ...partsOf(text).map(part))];
  const href = webAddress(url);
  if (href === null) return words;
  if (type === 'image') return [picture(href), ...words];
  return type === 'document' ? [paper(href), ...words] : words;
}

/** @param {import('./text.js').Part} part */
const part = ({ text, href }) => (href === null ? text : link(href, text));

/**
 * @param {string} href
 * @param {...import('./dom.js').Child} children
 */
const link = (href, ...children) =>
  element('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...children);

/** @param {string} href */
function picture(href) {
  const image = element('img', { src: href, alt: 'Picture', loading: 'lazy', referrerpolicy: 'no-referrer' });
  const shown = link(href, image);
  shown.classList.add('picture');
  return shown;
}

/** @param {string} href */
function paper(href) {
  const shown = link(href, icon('file'), element('span', {}, fileName(href)));
  shown.classList.add('document');
  return shown;
}

/**
 * @param {Item} item
 * @param {Actions} actions
 */
function buttonRow({ buttons }, { press }) {
  const row = element('div', { class: 'buttons' });
  for (const { text, url, payload } of buttons) {
    const href = webAddress(url);
    if (href !== null) {
      row.append(link(href, text));
      continue;
    }
    const button = element('button', { type: 'button' }, text);
    button.addEventListener('click', () => {
      for (const other of row.querySelectorAll('button')) other.disabled = true;
      button.classList.add('chosen');
      press(text, payload ?? text);
    });
    row.append(button);
  }
  return row;
}

/**
 * The time, and beside the client's own messages how far they have come.
 * @param {Item} item
 * @param {Actions} actions
 * @returns {(Node | string)[]}
 */
function metaOf(item, { retry }) {
  const moment = new Date(item.at);
  const time = element('time', { datetime: moment.toISOString() }, clock.format(moment));
  if (item.from === 'team') return [time];
  switch (item.state) {
    case 'stored':
      return [time, mark('check', 'Sent')];
    case 'sending':
      return [time, mark('clock', 'Sending')];
    case 'failed': {
      const again = element(
        'button',
        { type: 'button', class: 'retry' },
        icon('warning'),
        'Not sent. Try again',
      );
      again.addEventListener('click', () => retry(item));
      return [again];
    }
  }
}

/**
 * @param {'check' | 'clock'} drawing
 * @param {string} label
 */
const mark = (drawing, label) =>
  element('span', { class: 'mark', role: 'img', 'aria-label': label }, icon(drawing));
