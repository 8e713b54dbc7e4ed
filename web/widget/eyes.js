/** @import { Item } from './conversation.js' */

/**
 * Tells of each message that is before the client's eyes, once.
 * @param {HTMLElement} frame
 * @param {(item: Item) => void} onSeen
 */
export function createEyes(frame, onSeen) {
  /** @type {WeakMap<Element, Item>} */
  const itemOf = new WeakMap();
  const eyes = new IntersectionObserver(look, { root: frame, threshold: 0.5 });
  /**
   * What is within the frame; whether anybody looks at it is another question.
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

    /** Nothing is looked at any more. */
    end: () => document.removeEventListener('visibilitychange', seeAll),
  };
}
