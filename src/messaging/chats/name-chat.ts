import type { Names } from '../../channels/contract/inbound.ts';
import { entryBy } from '../../clients/profiles/audit.ts';
import { changeProfile } from '../../clients/profiles/change-store.ts';
import type { Context } from '../../platform/context.ts';
import { type NamelessChat, saveNames } from './names-store.ts';
import { makeStorable } from './storable.ts';

type Needs = Pick<Context, 'sql' | 'newId' | 'clock' | 'wake'>;

/** Stores the names that a channel's provider tells: with the chat, and with its profile if that has no name. */
export async function nameChat(
  context: Needs,
  chat: NamelessChat,
  names: Names,
  channel: string,
): Promise<void> {
  const { sql, wake } = context;
  makeStorable(names);
  await sql.begin(async (transaction) => {
    if (names.name) {
      const entry = entryBy({ type: 'channel', name: channel }, context);
      const change = { fields: { name: names.name } };
      await changeProfile(transaction, chat.project_id, chat.profile_id, change, entry, {
        seen: { name: null },
      });
    }
    await saveNames(transaction, chat, names);
  });
  wake.wake('live');
}
