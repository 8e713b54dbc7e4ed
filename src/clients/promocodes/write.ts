import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import { batched } from '../../platform/pump/batch.ts';
import { insertCodes, type NewCode, type Outcome } from './new-codes-store.ts';

/** How many requests that came together are answered by one statement. */
const together = 200;

export type WriteCode = (code: NewCode) => Promise<Outcome>;

/** Makes the function that stores a code. Codes that come at the same time share a statement. */
export const codeWriter = ({ sql }: Context): WriteCode =>
  batched((codes: NewCode[]) => insertCodes(sql, codes), { max: together, failsAll: isDatabaseUnavailable });
