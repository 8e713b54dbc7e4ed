/** @import { Item } from './conversation.js' */
/** @import { Actions, MessageView } from './message-view.js' */
/** @import { Drawing } from './options.js' */
import { createDays } from './days.js';
import { element } from './dom.js';
import { createEyes } from './eyes.js';
import { messageView } from './message-view.js';

/** Within this distance the log counts as scrolled to the end, and follows new messages. */
const nearPx = 80;

/**
 * Consecutive messages of one person form a group: the name is above the first.
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
  const days = createDays(list, locale);
  const eyes = createEyes(node, onSeen);
  const scroll = createScroll(node, onTop);
  let isFilling = false;

  /**
   * Inserts an item before another one, or at the end.
   * @param {Item} item
   * @param {Item | null} next
   */
  function place(item, next) {
    const follow = scroll.isAtEnd() || item.from === 'client';
    const view = views.get(item) ?? addView(item);
    list.insertBefore(view.node, next && (days.nameBetween(item, next) ?? views.get(next)?.node ?? null));
    days.name(item, view.node);
    group(view.node);
    group(view.node.nextElementSibling);
    hello.hidden = true;
    if (follow && !isFilling) scroll.toEnd();
  }

  /** @param {Item} item */
  function addView(item) {
    const view = messageView(item, { words, clock, ...actions });
    views.set(item, view);
    if (!item.seen) eyes.watch(view.node, item);
    return view;
  }

  return {
    node,
    place,
    toEnd: scroll.toEnd,

    /** @param {Item} item */
    update(item) {
      views.get(item)?.update();
      if (scroll.isAtEnd()) scroll.toEnd();
    },

    /** Stops tracking visible messages. */
    end: eyes.end,

    /**
     * Adds many messages above the visible ones, without scrolling and without announcing them to screen readers.
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

/**
 * Tracks whether the log is scrolled to its end.
 * @param {HTMLElement} node
 * @param {() => void} onTop
 */
function createScroll(node, onTop) {
  let isAtEnd = true;

  function scrolled() {
    isAtEnd = node.scrollHeight - node.scrollTop - node.clientHeight < nearPx;
    if (node.scrollTop < nearPx) onTop();
  }

  const toEnd = () => node.scrollTo({ top: node.scrollHeight });

  node.addEventListener('scroll', scrolled, { passive: true });
  // The log shrinks while a long text is being typed.
  new ResizeObserver(() => isAtEnd && toEnd()).observe(node);

  return { isAtEnd: () => isAtEnd, toEnd };
}
