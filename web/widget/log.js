/** @import { Item } from './conversation.js' */
/** @import { Actions, MessageView } from './message-view.js' */
/** @import { Drawing } from './options.js' */
import { element } from './dom.js';
import { messageView } from './message-view.js';

/** So close to the end counts as being there: the next message is scrolled to. */
const nearPx = 80;

/** @param {Item} item */
const dayOf = ({ at }) => new Date(at).toDateString();

/**
 * What one person says in a row belongs together: the name stands above the first of it.
 * @param {Element | null} message
 */
function group(message) {
  if (!(message instanceof HTMLElement)) return;
  const before = message.previousElementSibling;
  const follows = before instanceof HTMLElement && before.dataset.speaker === message.dataset.speaker;
  message.classList.toggle('follows', follows);
}

/** @typedef {ReturnType<typeof createLog>} Log */

/**
 * The list of messages.
 * @param {Pick<Drawing, 'greeting' | 'words' | 'locale'>} drawing
 * @param {object} wiring
 * @param {Actions} wiring.actions
 * @param {(item: Item) => void} wiring.onSeen a message of the team is before the client's eyes
 * @param {() => void} wiring.onTop older messages are wanted
 */
export function createLog({ greeting, words, locale }, { actions, onSeen, onTop }) {
  const clock = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
  const dayName = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
  const hello = element('p', { class: 'greeting' }, greeting);
  const list = element('div', {
    class: 'list',
    role: 'log',
    'aria-live': 'polite',
    'aria-label': words.messages,
  });
  const node = element('div', { class: 'scroll', tabindex: '0' }, hello, list);

  /** @type {Map<Item, MessageView>} */
  const views = new Map();
  /** @type {WeakMap<Element, Item>} */
  const itemOf = new WeakMap();
  /** @type {Map<string, HTMLElement>} */
  const days = new Map();

  const eyes = new IntersectionObserver(look, { root: node, threshold: 0.5 });
  /**
   * What is within the frame; whether anybody looks at it is another question.
   * @type {Set<Item>}
   */
  const inFrame = new Set();
  document.addEventListener('visibilitychange', seeAll);
  node.addEventListener('scroll', scrolled, { passive: true });
  // The place for the messages shrinks while something long is typed.
  new ResizeObserver(() => isAtEnd && toEnd()).observe(node);

  /** @param {IntersectionObserverEntry[]} entries */
  function look(entries) {
    for (const { target, isIntersecting } of entries) {
      const item = itemOf.get(target);
      if (!item) continue;
      if (isIntersecting) inFrame.add(item);
      else inFrame.delete(item);
    }
    seeAll();
  }

  function seeAll() {
    if (document.hidden) return;
    for (const item of inFrame) {
      const view = views.get(item);
      if (view) eyes.unobserve(view.node);
      onSeen(item);
    }
    inFrame.clear();
  }

  let isAtEnd = true;

  function scrolled() {
    isAtEnd = node.scrollHeight - node.scrollTop - node.clientHeight < nearPx;
    if (node.scrollTop < nearPx) onTop();
  }

  const toEnd = () => node.scrollTo({ top: node.scrollHeight });

  /**
   * Puts an item before another one, or at the end.
   * @param {Item} item
   * @param {Item | null} next
   */
  function place(item, next) {
    const follow = isAtEnd || item.from === 'client';
    const view = views.get(item) ?? addView(item);
    list.insertBefore(view.node, next && spotBefore(next, item));
    nameDay(item, view.node);
    group(view.node);
    group(view.node.nextElementSibling);
    hello.hidden = true;
    if (follow && !isFilling) toEnd();
  }

  /**
   * Above the name of its day, when the other one begins a new day.
   * @param {Item} next
   * @param {Item} item
   */
  function spotBefore(next, item) {
    const name = dayOf(next) === dayOf(item) ? undefined : days.get(dayOf(next));
    return name ?? views.get(next)?.node ?? null;
  }

  /** @param {Item} item */
  function addView(item) {
    const view = messageView(item, { words, clock, ...actions });
    views.set(item, view);
    itemOf.set(view.node, item);
    if (!item.seen) eyes.observe(view.node);
    return view;
  }

  /**
   * Each day has its name above its first message.
   * @param {Item} item
   * @param {HTMLElement} message
   */
  function nameDay(item, message) {
    const day = dayOf(item);
    if (days.has(day)) return;
    const name = element('div', { class: 'day' }, dayName.format(item.at));
    days.set(day, name);
    list.insertBefore(name, message);
  }

  let isFilling = false;

  return {
    node,
    place,
    toEnd,

    /** @param {Item} item */
    update(item) {
      views.get(item)?.update();
      if (isAtEnd) toEnd();
    },

    /** Nothing is looked at any more. */
    end: () => document.removeEventListener('visibilitychange', seeAll),

    /**
     * Adds many at once, above what is shown, without moving that and without reading it all out.
     * @param {() => void} add
     */
    fill(add) {
      const fromEnd = node.scrollHeight - node.scrollTop;
      list.setAttribute('aria-live', 'off');
      isFilling = true;
      add();
      isFilling = false;
      node.scrollTop = node.scrollHeight - fromEnd;
      requestAnimationFrame(() => list.setAttribute('aria-live', 'polite'));
    },
  };
}
