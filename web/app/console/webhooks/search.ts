/** The filters of the log in the page's URL, so that they survive a visit to an event. */
export type LogSearch = {
  state?: string;
  event_type?: string;
  /** The format of the browser's date-time field, in the reader's time zone. */
  from?: string;
  to?: string;
  before?: string;
};

const names = ['state', 'event_type', 'from', 'to', 'before'] as const;

export function readSearch(given: Record<string, unknown>): LogSearch {
  const search: LogSearch = {};
  for (const name of names) {
    const value = given[name];
    if (typeof value === 'string' && value !== '') search[name] = value;
  }
  return search;
}

/** The field's date-time for the server, or undefined if empty. */
export function momentOf(local: string | undefined): string | undefined {
  const at = new Date(local ?? '');
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
