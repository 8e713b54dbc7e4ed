/** @import { Figures, Provider } from './types.ts' */
import { gather } from './api.js';
import { element } from './dom.js';
import { spoken } from './phone.js';
import { language, words } from './texts.js';

const number = new Intl.NumberFormat(language);
const sizes = [100, 1_000, 10_000];

/** @type {(keyof Figures)[]} */
const columns = ['written', 'accepted', 'delivered', 'read', 'answered', 'refused', 'undelivered', 'failed'];

/** Fewer messages are seen on the phones. */
const few = 20;

/** Thousands of people, and the figures of each messenger. */
export function crowdView() {
  const messenger = element('select', { 'aria-label': words.messenger });
  const people = element(
    'select',
    { 'aria-label': words.people },
    ...sizes.map((size) => element('option', { value: String(size) }, number.format(size))),
  );
  const form = element(
    'form',
    {},
    element('label', {}, words.messenger, messenger),
    element('label', {}, words.people, people),
    element('button', { class: 'primary' }, words.gather),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void gather(messenger.value, Number(people.value));
  });
  const rows = element('tbody');
  const heads = columns.map((column) => element('th', { scope: 'col' }, words[column]));
  const table = element(
    'div',
    { class: 'figures', tabindex: '0', role: 'region', 'aria-label': words.crowd, hidden: true },
    element(
      'table',
      {},
      element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, words.messenger), ...heads)),
      rows,
    ),
  );
  const view = element(
    'details',
    { class: 'crowd' },
    element('summary', { class: 'crowd-title' }, words.crowd),
    element('p', {}, words.crowdLead),
    form,
    table,
  );
  /** @type {Map<string, Row>} */
  const known = new Map();
  return {
    view,
    /** @param {Provider} provider */
    follow(provider) {
      let row = known.get(provider.part);
      if (!row) {
        row = rowView();
        known.set(provider.part, row);
        messenger.append(element('option', { value: provider.part }, spoken(provider.platform)));
      }
      row.follow(provider);
      const isUsed = provider.crowd > 0 || provider.figures.accepted + provider.figures.refused > few;
      if (isUsed && !row.view.isConnected) rows.append(row.view);
      table.hidden = rows.children.length === 0;
    },
  };
}

/** Without news for this long, nothing happens any more. */
const restMs = 3_000;

/** @typedef {ReturnType<typeof rowView>} Row */

function rowView() {
  const name = element('th', { scope: 'row' });
  const cells = columns.map(() => element('td'));
  /** @type {{ at: number, figures: Figures } | null} */
  let before = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let rest;

  /** @param {Figures} figures @param {(column: keyof Figures) => number} paceOf */
  function fill(figures, paceOf) {
    for (const [place, column] of columns.entries()) {
      const pace = paceOf(column);
      cells[place]?.replaceChildren(
        number.format(figures[column]),
        ...(pace > 0 ? [element('small', {}, ` ${number.format(pace)}${words.perSecond}`)] : []),
      );
    }
  }

  return {
    view: element('tr', {}, name, ...cells),
    /** @param {Provider} provider */
    follow({ platform, figures, waiting, crowd }) {
      const now = performance.now();
      const earlier = before;
      const seconds = earlier ? (now - earlier.at) / 1_000 : 0;
      const busy = waiting > 0 ? ` · ${words.waiting} ${number.format(waiting)}` : '';
      const people = crowd > 0 ? ` · ${number.format(crowd)}` : '';
      name.textContent = `${spoken(platform)}${people}${busy}`;
      fill(figures, (column) =>
        earlier && now - earlier.at < restMs
          ? Math.round((figures[column] - earlier.figures[column]) / seconds)
          : 0,
      );
      clearTimeout(rest);
      rest = setTimeout(() => fill(figures, () => 0), restMs);
      before = { at: now, figures };
    },
  };
}
