/** @import { Bubble, Phone, Provider } from './types.ts' */
import { addPhone, block, enterAddress, readAll, setMood, setReading } from './api.js';
import { bubbleView } from './bubble.js';
import { composerView } from './composer.js';
import { button, element, icon } from './dom.js';
import { addingView } from './set-up.js';
import { words } from './texts.js';

/** @param {string} platform */
export const spoken = (platform) => platform.replaceAll('_', ' ');

/**
 * One phone with its conversation.
 * @param {Phone} first
 * @param {Provider} provider
 */
export function phoneView(first, provider) {
  const log = element('div', {
    class: 'log',
    role: 'log',
    tabindex: '0',
    'aria-label': `${words.conversation}: ${spoken(provider.platform)}, ${first.name}`,
  });
  const empty = element('p', { class: 'empty' }, words.empty);
  const head = headView(first, provider);
  const banner = element('p', { class: 'banner', hidden: true }, words.blocked);
  const hint = element('div', { class: 'hint' });
  const view = element(
    'article',
    { class: 'phone', id: first.id, 'data-part': first.part },
    head.view,
    element('div', { class: 'screen' }, empty, log),
    hint,
    banner,
    composerView(first, provider),
  );

  const toEnd = () => {
    log.scrollTop = log.scrollHeight;
  };

  /** @param {Bubble} bubble */
  function show(bubble) {
    const made = bubbleView(bubble, first, provider);
    const before = log.querySelector(`[data-id="${CSS.escape(bubble.id)}"]`);
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
    if (before) before.replaceWith(made);
    else log.append(made);
    empty.hidden = log.children.length > 0;
    if (!isAtEnd && bubble.direction !== 'out') return;
    toEnd();
    for (const picture of made.querySelectorAll('img')) picture.addEventListener('load', toEnd);
  }

  for (const bubble of first.bubbles) show(bubble);
  return {
    view,
    show,
    /** @param {Phone} phone */
    change(phone) {
      banner.hidden = !phone.is_blocked;
      view.classList.toggle('is-blocked', phone.is_blocked);
      head.change(phone);
    },
    /** @param {Provider} now */
    follow(now) {
      const isConnected = now.addresses.length > 0;
      if (isConnected) hint.replaceChildren();
      else if (hint.children.length === 0) {
        hint.append(addingView(now), ...(now.takes_address ? [addressForm(now)] : []));
      }
      head.follow(now);
    },
    scroll: toEnd,
  };
}

/** @param {Phone} phone @param {Provider} provider */
function headView(phone, provider) {
  const dot = element('span', { class: 'dot', role: 'img' });
  const mood = moodView(provider);
  const reading = element('input', { type: 'checkbox' });
  reading.checked = phone.reads_at_once;
  reading.addEventListener('change', () => setReading(phone.id, reading.checked));
  let isBlocked = phone.is_blocked;
  const blocking = button(words.block, 'item', () => block(phone.id, !isBlocked));
  const badge = element('span', { class: 'badge' });
  const menu = element(
    'details',
    { class: 'menu' },
    element('summary', { class: 'opener', 'aria-label': words.options, title: words.options }, icon('more')),
    element(
      'div',
      { class: 'items' },
      element('label', { class: 'item' }, reading, words.readsAtOnce),
      button(words.readNow, 'item', () => readAll(phone.id)),
      provider.can_block && blocking,
      button(words.another, 'item', () => addPhone(phone.part)),
      element('p', { class: 'item known' }, words.known, element('code', {}, phone.address)),
      element('label', { class: 'item mood' }, words.mood, mood.view),
    ),
  );
  const view = element(
    'header',
    {},
    element('span', { class: 'face', 'aria-hidden': 'true' }, initials(phone.name)),
    element(
      'div',
      { class: 'who' },
      element('h2', {}, phone.name),
      element('p', {}, dot, spoken(provider.platform), badge),
    ),
    menu,
  );
  return {
    view,
    /** @param {Phone} now */
    change(now) {
      isBlocked = now.is_blocked;
      blocking.textContent = isBlocked ? words.unblock : words.block;
      reading.checked = now.reads_at_once;
    },
    /** @param {Provider} now */
    follow(now) {
      const label = now.addresses.length > 0 ? words.connected : words.unconnected;
      dot.classList.toggle('on', now.addresses.length > 0);
      dot.setAttribute('aria-label', label);
      dot.title = label;
      badge.textContent = now.mood === 'normal' ? '' : words.moods[now.mood];
      mood.change(now);
    },
  };
}

/** @param {Provider} provider */
function moodView({ part, moods }) {
  const choices = moods.map((mood) => element('option', { value: mood }, words.moods[mood]));
  const view = element('select', {}, ...choices);
  view.addEventListener('change', () => setMood(part, view.value));
  return {
    view,
    /** @param {Provider} now */
    change({ mood }) {
      view.value = mood;
    },
  };
}

/** For a messenger whose provider takes the address in a form of its own. @param {Provider} provider */
function addressForm({ part }) {
  const field = element('input', {
    type: 'url',
    required: true,
    placeholder: 'http://127.0.0.1:3000/channels/…',
  });
  field.setAttribute('aria-label', words.address);
  const complaint = element('p', { class: 'complaint', role: 'alert' });
  const form = element(
    'form',
    { class: 'address' },
    element('p', {}, words.enterAddress),
    element('div', {}, field, element('button', {}, words.save)),
    complaint,
  );
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    complaint.textContent = await enterAddress(part, field.value);
  });
  return form;
}

/** @param {string} name */
const initials = (name) =>
  name
    .split(' ')
    .map((part) => part[0] ?? '')
    .join('');
