/** The state of the page for a new channel, in its URL. */
export type NewSearch = {
  platform?: string;
  /** The channel, once it is added. */
  channel?: string;
};

export function readNewSearch(given: Record<string, unknown>): NewSearch {
  const search: NewSearch = {};
  if (typeof given.platform === 'string') search.platform = given.platform;
  if (typeof given.channel === 'string') search.channel = given.channel;
  return search;
}
