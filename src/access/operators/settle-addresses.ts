import type { Sql } from '../../platform/database/database.ts';
import { readEmail } from '../auth/email.ts';
import { findOddAddresses, settleOperator, settleUser } from '../auth/settle-addresses-store.ts';

/**
 * Converts addresses from before migration 0030 into their canonical form. Only the program can do that for a domain.
 * Of two that become equal, the second stays unchanged and is not found until a person decides: `doctor` reports it.
 */
export async function settleAddresses(sql: Sql): Promise<void> {
  for (const { table, id, projectId, email } of await findOddAddresses(sql)) {
    const settled = readEmail(email);
    if (settled === null || settled === email) continue;
    if (table === 'users') await settleUser(sql, id, settled);
    else await settleOperator(sql, projectId, id, settled);
  }
}

/** The stored addresses that no lookup finds. */
export async function findUnsettled(sql: Sql): Promise<string[]> {
  const odd = await findOddAddresses(sql);
  return [...new Set(odd.map(({ email }) => email))].filter((email) => readEmail(email) !== email);
}
