/** @import { Item } from './conversation.js' */
import { element } from './dom.js';

/** @param {Item} item */
const dayOf = ({ at }) => new Date(at).toDateString();

/**
 * The names of days in the list of messages.
 * @param {HTMLElement} list
 * @param {string | undefined} locale
 */
export function createDays(list, locale) {
  const dayName = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
  /** @type {Map<string, HTMLElement>} */
  const days = new Map();

  return {
    /**
     * Each day has its name above its first message.
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
     * The name of the next one's day, when that begins a new day.
     * @param {Item} item
     * @param {Item} next
     */
    nameBetween: (item, next) => (dayOf(next) === dayOf(item) ? undefined : days.get(dayOf(next))),
  };
}
