import type { Member } from '../../access/auth/member.ts';
import type { Context } from '../../platform/context.ts';
import { actionFor } from '../../platform/http/action.ts';
import { UuidParams } from '../../platform/http/fields.ts';
import { NotFound } from '../../platform/problem.ts';
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

/** The chat as the lists show it now. */
export async function entryOf(
  { sql }: Pick<Context, 'sql'>,
  { project_id, id }: { project_id: string; id: string },
): Promise<ChatEntry> {
  const [row] = await findEntries(sql, project_id, [id]);
  if (!row) throw new NotFound();
  return presentEntry(row);
}
