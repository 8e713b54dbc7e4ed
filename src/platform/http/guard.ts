import type { IncomingHttpHeaders } from 'node:http';

/** Decides which callers a route admits. `src/access/auth` makes guards, and this layer only calls them. */
export type Guard<Who> = {
  /** Throws `Unauthorized` or `Forbidden`. It runs before anything else in the request is looked at. */
  admit: (headers: IncomingHttpHeaders) => Who | Promise<Who>;
  /** Whether any page may call the route from a browser: true for a key or OAuth. */
  cors: boolean;
  /** The credentials that a partner needs. Absent if none are needed, or if the route is not for partners. */
  credentials?: 'oauth' | 'key or oauth';
};

/** For routes without credentials, or whose credentials only the action can judge. */
export const anyone: Guard<undefined> = { admit: () => undefined, cors: false };
