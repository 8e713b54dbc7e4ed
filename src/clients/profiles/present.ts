import type { AuditRecord, Profile } from './schema.ts';

/** A row of `profiles` with its chats. */
export type ProfileRow = Omit<Profile, 'uuid' | 'pda_agreed' | 'created_at' | 'updated_at'> & {
  id: string;
  pda_agreed: Date | null;
  created_at: Date;
  updated_at: Date;
};

export function presentProfile(row: ProfileRow): Profile {
  return {
    uuid: row.id,
    external_id: row.external_id,
    phone_number: row.phone_number,
    email: row.email,
    name: row.name,
    timezone: row.timezone,
    pda_agreed: row.pda_agreed?.toISOString() ?? null,
    tags: row.tags,
    attrs: row.attrs,
    chats: row.chats,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export type AuditRow = Pick<AuditRecord, 'action' | 'changes'> & {
  id: string;
  profile_id: string;
  actor_type: string;
  actor_name: string;
  created_at: Date;
};

export function presentAuditRecord(row: AuditRow): AuditRecord {
  return {
    uuid: row.id,
    profile: { uuid: row.profile_id },
    action: row.action,
    changes: row.changes,
    actor: { type: row.actor_type, name: row.actor_name },
    timestamp: row.created_at.toISOString(),
  };
}
