import type { Static } from 'typebox';
import type { MessageState } from '../chats/rules.ts';
import type { Content, ContentType, PushMessage } from './schema.ts';

export type PushMessageRow = {
  id: string;
  source: 'push' | 'stream';
  chat_id: string | null;
  platform: string | null;
  state: MessageState;
  state_detail: string;
  content_type: ContentType;
  content: Omit<Static<typeof Content>, 'type'>;
  launch_at: Date | null;
  created_at: Date;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
};

export function presentPushMessage(row: PushMessageRow): PushMessage {
  return {
    uuid: row.id,
    chat: { uuid: row.chat_id, platform: row.platform },
    state: { code: row.state, detail: row.state_detail },
    content: { type: row.content_type, ...row.content },
    launch_at: row.launch_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    sent_at: row.sent_at?.toISOString() ?? null,
    delivered_at: row.delivered_at?.toISOString() ?? null,
    read_at: row.read_at?.toISOString() ?? null,
  };
}
