import type { Fragment, Sql } from '../../platform/database/database.ts';

/** A statement that deletes the `given` records of the audit. */
export const deletedRecords = (sql: Sql, given: Fragment, { from, to }: { from: Date; to: Date }) => sql`
  delete from profile_audit using ${given} as given
  where profile_audit.project_id = given.project_id and profile_audit.id = given.id
    and profile_audit.id >= uuid_floor(${from}) and profile_audit.id < uuid_floor(${to})
  returning profile_audit.project_id`;
