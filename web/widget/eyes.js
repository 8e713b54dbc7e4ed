/** @import { Item } from './conversation.js' */

/**
 * Reports each message once when it becomes visible to the client.
 * @param {HTMLElement} frame
 * @param {(item: Item) => void} onSeen
 */
export function createEyes(frame, onSeen) {
  /** @type {WeakMap<Element, Item>} */
  const itemOf = new WeakMap();
  const eyes = new IntersectionObserver(look, { root: frame, threshold: 0.5 });
  /**
   * Messages inside the visible area, even if the page itself is hidden.
   * @type {Set<Element>}
   */
  const inFrame = new Set();
  document.addEventListener('visibilitychange', seeAll);

  /** @param {IntersectionObserverEntry[]} entries */
  function look(entries) {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) inFrame.add(target);
      else inFrame.delete(target);
    }
    seeAll();
  }

  function seeAll() {
    if (document.hidden) return;
    for (const node of inFrame) {
      const item = itemOf.get(node);
      eyes.unobserve(node);
      if (item) onSeen(item);
    }
    inFrame.clear();
  }

  return {
    /**
     * @param {HTMLElement} node
     * @param {Item} item
     */
    watch(node, item) {
      itemOf.set(node, item);
      eyes.observe(node);
    },

    /** Stops tracking visible messages. */
    end: () => document.removeEventListener('visibilitychange', seeAll),
  };
}
