/** @import { Bubble, Kind, Phone, Provider } from './types.ts' */

/**
 * @param {string} path
 * @param {Record<string, string>} [query]
 * @param {BodyInit} [body]
 * @returns {Promise<string | null>} the simulator's complaint
 */
async function post(path, query = {}, body) {
  const answer = await fetch(`${path}?${new URLSearchParams(query)}`, { method: 'POST', body }).catch(
    () => null,
  );
  if (answer?.ok) return null;
  const complaint = await answer?.json().catch(() => null);
  return complaint?.error ?? '';
}

/** @param {string} phone @param {string} text */
export const sayText = (phone, text) => post(`/phones/${phone}/say`, { kind: 'text' }, text);

/** @param {string} phone @param {Kind} kind */
export const sayPlain = (phone, kind) => post(`/phones/${phone}/say`, { kind });

/** @param {string} phone @param {Kind} kind @param {File} file @param {string} text */
export const sayFile = (phone, kind, file, text) =>
  post(`/phones/${phone}/say`, { kind, name: file.name, text }, file);

/** @param {string} phone @param {{ label: string, press: string, message: string }} button */
export const pressButton = (phone, { label, press, message }) =>
  post(`/phones/${phone}/say`, { kind: 'press', text: label, press, message });

/** @param {string} phone */
export const readAll = (phone) => post(`/phones/${phone}/read`);

/** @param {string} phone @param {boolean} is */
export const block = (phone, is) => post(`/phones/${phone}/block`, { is: String(is) });

/** @param {string} phone @param {boolean} atOnce */
export const setReading = (phone, atOnce) => post(`/phones/${phone}/reading`, { at_once: String(atOnce) });

/** @param {string} part @param {string} mood */
export const setMood = (part, mood) => post(`/providers/${part}/mood`, { mood });

/** @param {string} part */
export const addPhone = (part) => post(`/providers/${part}/phones`);

/** @param {string} part @param {number} people */
export const gather = (part, people) => post(`/providers/${part}/crowd`, { people: String(people) });

/** @param {string} part @param {string} address */
export const enterAddress = (part, address) => post(`/providers/${part}/address`, { address });

/**
 * @typedef {{
 *   all(state: { providers: Provider[], phones: Phone[] }): void,
 *   phone(phone: Phone): void,
 *   bubble(news: { phone: string, bubble: Bubble }): void,
 *   provider(provider: Provider): void,
 *   isLive(live: boolean): void,
 * }} Listener
 */

/** @param {Listener} listener */
export function follow(listener) {
  const source = new EventSource('/feed');
  source.onopen = () => listener.isLive(true);
  source.onerror = () => listener.isLive(false);
  /** @param {string} name @param {(data: any) => void} take */
  const on = (name, take) => source.addEventListener(name, ({ data }) => take(JSON.parse(data)));
  on('all', listener.all);
  on('phone', listener.phone);
  on('bubble', listener.bubble);
  on('provider', listener.provider);
}
