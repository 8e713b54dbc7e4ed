import type { ChatEntryRow } from './chats-store.ts';
import type { Author, ChatEntry, TimelineEntry } from './schema.ts';
import type { EntryRow } from './timeline-store.ts';

export const presentEntry = (row: ChatEntryRow): ChatEntry => ({
  uuid: row.id,
  platform: row.platform,
  name: nameOf(row),
  address: row.external_id,
  avatar: row.avatar,
  profile: { uuid: row.profile_id, name: row.profile_name },
  last_message: lastMessageOf(row),
  unread: row.unread,
  session: sessionOf(row),
  last_active_at: row.last_active_at.toISOString(),
});

/** A client's name in a list: the best known name, or else the address on the channel. */
export function nameOf(row: ChatEntryRow): string {
  const { name, profile_name, phone, profile_phone, username, profile_email, external_id } = row;
  const names = [name, profile_name, phone, profile_phone, username && `@${username}`, profile_email];
  return names.find((known) => known?.trim()) ?? external_id;
}

function lastMessageOf(row: ChatEntryRow): ChatEntry['last_message'] {
  const { last_id, last_direction, last_at } = row;
  if (last_id === null || last_direction === null || last_at === null) return null;
  return {
    uuid: last_id,
    direction: last_direction,
    type: typeOf(row.last_type),
    text: row.last_text,
    state: row.last_state,
    author_name: row.last_author_name || null,
    at: last_at.toISOString(),
  };
}

function sessionOf(row: ChatEntryRow): ChatEntry['session'] {
  const { session_id, session_opened_at, operator_id, operator_name } = row;
  if (session_id === null || session_opened_at === null) return null;
  return {
    uuid: session_id,
    operator: authorOf(operator_id, operator_name),
    title: row.session_title ?? '',
    opened_at: session_opened_at.toISOString(),
  };
}

export function presentTimelineEntry(row: EntryRow): TimelineEntry {
  const entry = {
    uuid: row.id,
    at: row.at.toISOString(),
    author: authorOf(row.author_id, row.author_name),
    message: null,
    note: null,
    session: null,
  };
  switch (row.kind) {
    case 'message': {
      const { direction, source, type, content, external_id, state, state_detail } = row.details;
      const message = {
        direction,
        source,
        type: typeOf(type),
        text: content.text ?? null,
        url: content.url ?? null,
        buttons: (content.buttons ?? []).map(({ text }) => text),
        echo_id: source === 'operator' ? external_id : null,
        state: state && { code: state, detail: state_detail },
      };
      return { ...entry, message };
    }
    case 'note':
      return { ...entry, note: row.details };
    case 'session': {
      const { session_id, step, title, operator_id, operator_name, category_name, theme_name } = row.details;
      const session = {
        uuid: session_id,
        step,
        title,
        operator: authorOf(operator_id, operator_name),
        category: category_name,
        theme: theme_name,
      };
      return { ...entry, session };
    }
  }
}

const authorOf = (uuid: string | null, name: string | null): Author | null =>
  uuid === null && !name ? null : { uuid, name: name ?? '' };

const typeOf = (type: string | null): 'text' | 'image' | 'document' =>
  type === 'image' || type === 'document' ? type : 'text';
