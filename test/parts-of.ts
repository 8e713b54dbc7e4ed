import type { Pool } from '../src/platform/database/database.ts';

/** What a pool has beside its statements, for a pool whose statements are others. */
export const partsOf = ({ isOneSession, isBusy, begin, end }: Pool) => ({ isOneSession, isBusy, begin, end });
