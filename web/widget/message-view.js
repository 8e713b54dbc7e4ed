/** @import { Item } from './conversation.js' */
/** @import { Words } from './texts.js' */
import { element, icon } from './dom.js';
import { fileName, partsOf, webAddress } from './text.js';

/**
 * @typedef {object} Actions
 * @property {(item: Item) => void} retry
 * @property {(text: string, payload: string) => void} press
 */

/** @typedef {Actions & { words: Words, clock: Intl.DateTimeFormat }} Wiring */

/** @typedef {{ node: HTMLElement, update: () => void }} MessageView */

/**
 * The element of one message.
 * @param {Item} item
 * @param {Wiring} wiring
 * @returns {MessageView}
 */
export function messageView(item, wiring) {
  const meta = element('span', { class: 'meta' });
  const bubble = element('div', { class: 'bubble' });
  const buttons = item.buttons.length > 0 ? buttonRow(item, wiring) : null;
  const author = item.author ? element('div', { class: 'author' }, item.author) : null;
  const speaker = `${item.from} ${item.author ?? ''}`;
  const node = element(
    'div',
    { class: `message ${item.from}`, 'data-speaker': speaker },
    author,
    bubble,
    buttons,
  );

  let shown = '';

  function update() {
    node.dataset.state = item.state;
    meta.replaceChildren(...metaOf(item, wiring));
    const wanted = `${item.type} ${item.url} ${item.text}`;
    if (shown === wanted) return;
    shown = wanted;
    bubble.replaceChildren(...content(item, wiring), meta);
  }
  update();
  return { node, update };
}

/**
 * @param {Item} item
 * @param {Wiring} wiring
 */
function content({ type, text, url, fileName: name, state }, { words }) {
  const said =
    text === '' ? [] : [element('span', { class: 'text', dir: 'auto' }, ...partsOf(text).map(part))];
  if (state !== 'stored' && name !== '') return [url === null ? paper(name) : picture(url, words.picture)];
  const href = webAddress(url);
  if (href === null) return said;
  if (type === 'image') return [opening(href, picture(href, words.picture)), ...said];
  return type === 'document' ? [opening(href, paper(fileName(href))), ...said] : said;
}

/** @param {import('./text.js').Part} part */
const part = ({ text, href }) => (href === null ? text : link(href, text));

/**
 * @param {string} href
 * @param {...import('./dom.js').Child} children
 */
const link = (href, ...children) =>
  element('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }, ...children);

/**
 * @param {string} href
 * @param {HTMLElement} shown
 */
function opening(href, shown) {
  const opened = link(href, shown);
  opened.classList.add('opening');
  return opened;
}

/**
 * The frame has its final size before the picture loads, so that nothing moves.
 * @param {string} src
 * @param {string} alt
 */
const picture = (src, alt) =>
  element('img', { class: 'picture', src, alt, loading: 'lazy', referrerpolicy: 'no-referrer' });

/** @param {string} name */
const paper = (name) => element('span', { class: 'document' }, icon('file'), element('span', {}, name));

/**
 * @param {Item} item
 * @param {Wiring} wiring
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
 * The time, and for the client's own messages the delivery state.
 * @param {Item} item
 * @param {Wiring} wiring
 * @returns {(Node | string)[]}
 */
function metaOf(item, { words, clock, retry }) {
  const moment = new Date(item.at);
  const time = element('time', { datetime: moment.toISOString() }, clock.format(moment));
  if (item.from === 'team') return [time];
  switch (item.state) {
    case 'stored':
      return [time, mark('check', words.sent)];
    case 'sending':
      return [time, mark('clock', words.sending)];
    case 'failed': {
      if (item.problem) return [icon('warning'), words[item.problem]];
      const again = element('button', { type: 'button', class: 'retry' }, icon('warning'), words.retry);
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
