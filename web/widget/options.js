/**
 * @typedef {object} Options
 * @property {string} service address of the service, with a slash at its end
 * @property {string} channel
 * @property {{ id: string, hash: string, name?: string } | null} user whom the page vouches for
 * @property {boolean} open whether the panel opens by itself where there is room for it beside the page
 * @property {string} title
 * @property {string} greeting shown while there are no messages
 * @property {string | null} accent a colour
 * @property {'auto' | 'light' | 'dark'} theme
 */

/**
 * Reads the attributes of the script tag: `data-channel`, and optionally `data-user`, `data-user-hash`, `data-user-name`,
 * `data-open`, `data-title`, `data-greeting`, `data-accent`, `data-theme`.
 * @param {HTMLScriptElement} script
 * @returns {Options}
 */
export function readOptions({ src, dataset }) {
  const { channel, user, userHash, userName, open, title, greeting, accent, theme } = dataset;
  if (!channel) throw new Error('The widget needs the uuid of its channel in data-channel.');
  return {
    service: new URL('.', src).href,
    channel,
    user: user && userHash ? { id: user, hash: userHash, ...(userName && { name: userName }) } : null,
    open: open !== undefined && open !== 'false',
    title: title || 'Chat with us',
    greeting: greeting || 'Hello! Write to us, we answer right here.',
    accent: accent && CSS.supports('color', accent) ? accent : null,
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
  };
}
