import { echoIdOf } from './rules.ts';
import type { WidgetMessage } from './schema.ts';
import type { MessageRow } from './store.ts';

export const presentMessage = (row: MessageRow): WidgetMessage => ({
  uuid: row.id,
  echo_id: row.direction === 'in' && row.external_id ? echoIdOf(row.external_id) : null,
  from: row.direction === 'in' ? 'client' : 'team',
  type: row.content_type === 'image' || row.content_type === 'document' ? row.content_type : 'text',
  text: row.content.text ?? null,
  url: row.content.url ?? null,
  buttons: row.content.buttons ?? [],
  author: row.author_name,
  at: row.at.toISOString(),
  seen: row.direction === 'in' || row.state === 'READ',
});
