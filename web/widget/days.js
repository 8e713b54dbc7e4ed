/** @import { Item } from './conversation.js' */
import { element } from './dom.js';

/** @param {Item} item */
const dayOf = ({ at }) => new Date(at).toDateString();

/**
 * The day separators in the list of messages.
 * @param {HTMLElement} list
 * @param {string | undefined} locale
 */
export function createDays(list, locale) {
  const dayName = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
  /** @type {Map<string, HTMLElement>} */
  const days = new Map();

  return {
    /**
     * Each day has a separator above its first message.
     * @param {Item} item
     * @param {HTMLElement} message
     */
    name(item, message) {
      const day = dayOf(item);
      if (days.has(day)) return;
      const name = element('div', { class: 'day' }, dayName.format(item.at));
      days.set(day, name);
      list.insertBefore(name, message);
    },

    /**
     * The separator above the next item, if that item begins a new day.
     * @param {Item} item
     * @param {Item} next
     */
    nameBetween: (item, next) => (dayOf(next) === dayOf(item) ? undefined : days.get(dayOf(next))),
  };
}
