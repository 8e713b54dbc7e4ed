import type { IncomingHttpHeaders } from 'node:http';

/** Who may come in at a route. Made by `src/access/auth`; this layer only asks it. */
export type Guard<Who> = {
  /** Throws `Unauthorized` or `Forbidden`. It is asked before anything else of the request is looked at. */
  admit: (headers: IncomingHttpHeaders) => Who | Promise<Who>;
  /** Whether browsers may call from any page: true for a key or OAuth. */
  cors: boolean;
  /** What a partner has to bring; absent where it is nothing, or no partner's matter. */
  credentials?: 'oauth' | 'key or oauth';
};

/** For routes without credentials, or whose credentials only the action itself can judge. */
export const anyone: Guard<undefined> = { admit: () => undefined, cors: false };
