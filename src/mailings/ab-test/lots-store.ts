import type { Fragment, Sql } from '../../platform/database/database.ts';
import { type AbTest, sharesOf } from './schema.ts';

/**
 * A number from 0 to 99 for a client and a mailing, the same at any time and in any process. Each `purpose` draws its
 * own. PostgreSQL promises no equal `hashtext` over its versions, but an equal `md5`.
 */
const lot = (
  sql: Sql,
  purpose: 'sample' | 'variant',
  mailingId: string,
  profileId: Fragment,
): Fragment => sql`
  (('x' || left(md5(${`${purpose} ${mailingId} `}::text || ${profileId}::text), 8))::bit(32)::bigint % 100)`;

/** Whether a client belongs to the sample. */
export const isSampled = (sql: Sql, percent: number, mailingId: string, profileId: Fragment): Fragment => sql`
  ${lot(sql, 'sample', mailingId, profileId)} < ${percent}::integer`;

/** The variant that a client draws. */
export function drawnVariant(sql: Sql, test: AbTest, mailingId: string, profileId: Fragment): Fragment {
  const shares = sharesOf(test);
  const begins = shares.map((_, index) => shares.slice(0, index).reduce((sum, share) => sum + share, 0));
  return sql`
    width_bucket(${lot(sql, 'variant', mailingId, profileId)}, ${begins}::bigint[])::smallint`;
}
