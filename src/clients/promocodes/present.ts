import type { CreatedPromocode, Promocode, PromocodeGroup } from './schema.ts';

export type GroupRow = { id: string; name: string };

export type CodeRow = {
  id: string;
  code: string;
  status: 'AVAILABLE' | 'ISSUED';
  group_id: string;
  group_name: string;
  issued_chat_id: string | null;
  /** The platform of the chat that it was issued to. */
  platform: string | null;
  issued_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
};

export const presentGroup = ({ id, name }: GroupRow): PromocodeGroup => ({ uuid: id, name });

export function presentCode(row: CodeRow): Promocode {
  const { issued_chat_id, platform } = row;
  return {
    uuid: row.id,
    code: row.code,
    status: row.status,
    group: { uuid: row.group_id, name: row.group_name },
    issued_chat: issued_chat_id !== null && platform !== null ? { uuid: issued_chat_id, platform } : null,
    issued_at: row.issued_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

type Created = Omit<CodeRow, 'group_name' | 'platform' | 'created_at' | 'updated_at'>;

export function presentCreated(row: Created): CreatedPromocode {
  return {
    uuid: row.id,
    code: row.code,
    status: row.status,
    group: row.group_id,
    issued_chat: row.issued_chat_id,
    issued_at: row.issued_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}
