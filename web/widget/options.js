/** @import { Words } from './texts.js' */
import { wordsIn } from './texts.js';

/**
 * The address of the widget's service, from the page's script tag.
 * @typedef {object} Place
 * @property {string} service address of the service, with a slash at its end
 * @property {string} channel
 */

/**
 * The appearance of the widget, from the channel's settings.
 * @typedef {{ title?: string, greeting?: string, accent?: string, position?: string, theme?: string, language?: string }} Look
 */

/**
 * @typedef {object} Drawing
 * @property {string} title
 * @property {string} greeting shown while there are no messages
 * @property {string | null} accent a colour
 * @property {'left' | 'right'} position
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {Words} words
 * @property {string | undefined} locale of dates; the browser's own where undefined
 */

/**
 * @typedef {Place & Drawing & Visit} Options
 * @typedef {object} Visit
 * @property {{ id: string, hash: string, exp?: number, name?: string } | null} user identified by the page
 * @property {boolean} open whether the panel opens automatically if the page has room beside it
 */

/**
 * Reads `data-channel` of the script tag.
 * @param {HTMLScriptElement} script
 * @returns {Place}
 */
export function readPlace({ src, dataset: { channel } }) {
  if (!channel) throw new Error('The widget needs the uuid of its channel in data-channel.');
  return { service: new URL('.', src).href, channel };
}

/**
 * Reads the other attributes of the script tag, all optional: `data-user`, `data-user-hash`, `data-user-exp`,
 * `data-user-name`, `data-open`, and those that override the channel's settings: `data-title`, `data-greeting`,
 * `data-accent`, `data-position`, `data-theme`, `data-language`.
 * @param {DOMStringMap} dataset
 * @param {Look} look
 * @returns {Drawing & Visit}
 */
export function readOptions(dataset, look) {
  const { user, userHash, userExp, userName, open } = dataset;
  return {
    ...drawingOf({ ...look, ...dataset }),
    user:
      user && userHash
        ? {
            id: user,
            hash: userHash,
            ...(userExp && { exp: Number(userExp) }),
            ...(userName && { name: userName }),
          }
        : null,
    open: open !== undefined && open !== 'false',
  };
}

/**
 * @param {Look} look
 * @returns {Drawing}
 */
export function drawingOf({ title, greeting, accent, position, theme, language }) {
  const { words, locale } = wordsIn(language);
  return {
    title: title || words.title,
    greeting: greeting || words.greeting,
    accent: accent && CSS.supports('color', accent) ? accent : null,
    position: position === 'left' ? 'left' : 'right',
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    words,
    locale,
  };
}

const patienceMs = 5_000;

/**
 * The channel's settings. If they cannot be loaded, the defaults apply.
 * @param {Place} place
 * @returns {Promise<Look>}
 */
export async function fetchLook({ service, channel }) {
  try {
    const answer = await fetch(`${service}widget/${channel}/look/`, {
      signal: AbortSignal.timeout(patienceMs),
    });
    return answer.ok ? await answer.json() : {};
  } catch {
    return {};
  }
}
