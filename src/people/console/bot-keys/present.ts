import type { BotKeyRow } from '../../../access/projects/store.ts';
import type { BotKey } from './schema.ts';

export const presentBotKey = ({ id, name, created_at }: BotKeyRow): BotKey => ({
  uuid: id,
  name,
  created_at: created_at.toISOString(),
});
