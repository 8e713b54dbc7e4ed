import type { Member } from '../../access/auth/member.ts';
import { findSeen, isSeen } from '../../messaging/chats/external-ids-store.ts';
import { insertNoteOnce } from '../../messaging/chats/notes-store.ts';
import { actionFor } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { loadChat } from './load.ts';
import { madeEntry } from './made-entry.ts';
import { NewNote, TimelineEntry } from './schema.ts';

/** POST /chat-center/api/chats/{uuid}/notes/: a note for operators. A repeated `id` is the same note. */
export const writeNote = actionFor<Member>()({
  params: UuidParams,
  body: NewNote,
  response: TimelineEntry,
  status: 201,
  load: loadChat,
  handle: async ({ context, principal, body, loaded: chat }) => {
    const { projectId, operatorId, name } = principal;
    const externalId = `note ${body.id}`;
    const note = {
      project_id: projectId,
      id: context.newId(),
      chat_id: chat.id,
      author_id: operatorId,
      author_name: name,
      text: body.text,
      external_id: body.id,
      created_at: context.clock.now(),
    };
    try {
      await insertNoteOnce(context.sql, note, { ownerId: operatorId, externalId });
      context.wake.wake('live');
      return await madeEntry(context, chat, note.id);
    } catch (error) {
      const [twin] = isSeen(error)
        ? await findSeen(context.sql, [{ projectId, ownerId: operatorId, externalId }])
        : [];
      if (twin) return madeEntry(context, chat, twin.messageUuid);
      throw error;
    }
  },
});
