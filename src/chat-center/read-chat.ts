import type { Member } from '../auth/member.ts';
import type { Context } from '../context.ts';
import { actionFor } from '../http/action.ts';
import { UuidParams } from '../http/fields.ts';
import { NotFound } from '../lib/problem.ts';
import { findEntries } from './chats-store.ts';
import { loadChat } from './load.ts';
import { presentEntry } from './present.ts';
import { ChatEntry } from './schema.ts';

/** GET /chat-center/api/chats/{uuid}/ */
export const readChat = actionFor<Member>()({
  params: UuidParams,
  response: ChatEntry,
  load: loadChat,
  handle: async ({ context, loaded }) => entryOf(context, loaded),
});

/** A chat as the lists show it now. */
export async function entryOf(
  { sql }: Pick<Context, 'sql'>,
  { project_id, id }: { project_id: string; id: string },
): Promise<ChatEntry> {
  const [row] = await findEntries(sql, project_id, [id]);
  if (!row) throw new NotFound();
  return presentEntry(row);
}
