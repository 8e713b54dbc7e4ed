/** What the log is filtered by, in the page's address: so it is still there on the way back from an event. */
export type LogSearch = {
  state?: string;
  event_type?: string;
  /** As the browser's field for a moment has it, in the reader's time. */
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

/** A moment of the browser's field for the server; undefined for none. */
export function momentOf(local: string | undefined): string | undefined {
  const at = new Date(local ?? '');
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
