import type { Context } from '../../platform/context.ts';
import { isDatabaseUnavailable } from '../../platform/database/database.ts';
import { batched } from '../../platform/pump/batch.ts';
import { insertCodes, type NewCode, type Outcome } from './new-codes-store.ts';

/** The number of concurrent requests that one statement answers. */
const together = 200;

export type WriteCode = (code: NewCode) => Promise<Outcome>;

/** Makes the function that stores a code. Concurrent codes share a statement. */
export const codeWriter = ({ sql }: Context): WriteCode =>
  batched((codes: NewCode[]) => insertCodes(sql, codes), { max: together, failsAll: isDatabaseUnavailable });
