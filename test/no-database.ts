import type { Pool } from '../src/platform/database/database.ts';
import { createSql } from '../src/platform/database/sql.ts';

const refuse = async (): Promise<never> => {
  throw new Error('there is no database here');
};

/** For code that makes no query. */
export const noDatabase: Pool = Object.assign(createSql(refuse), {
  isOneSession: false,
  isBusy: () => false,
  begin: refuse,
  end: async () => {},
});
