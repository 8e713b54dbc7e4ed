import type { AudienceRow } from '../../../clients/audiences/store.ts';
import type { SavedAudience } from './schema.ts';

export const presentAudience = (row: AudienceRow): SavedAudience => ({
  uuid: row.id,
  name: row.name,
  filter_chats: row.filter,
  author: row.author_name,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
