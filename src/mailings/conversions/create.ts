import { platforms } from '../../channels/contract/platforms.ts';
import { type Recipient, resolveRecipients } from '../../messaging/chats/recipients.ts';
import { chatKey, checkAddressee, profileKey } from '../../messaging/push-messages/rules.ts';
import { creation } from '../../platform/http/action.ts';
import { momentOf } from '../../platform/moment.ts';
import { invalid, NotFound } from '../../platform/problem.ts';
import { Conversion, ConversionCreate } from './schema.ts';
import { type ConversionRow, findConversion, insertConversion, isProfile } from './store.ts';

/** POST /api/partners/conversions/. Source: docs/contract.md, section 5. */
export const createConversion = creation({
  name: 'createConversion',
  summary: 'Report what a client did',
  description:
    'Counts, for example, an order for the mailing that the client got last before it, within the days that the project has set. A known `key` returns the first report unchanged.',
  refusals: { 404: { when: 'The chat or profile does not exist.' } },
  body: ConversionCreate,
  response: Conversion,
  handle: async ({ context: { sql, clock }, principal: { projectId }, body, id }) => {
    checkAddressee(body);
    const [found] = await resolveRecipients(sql, [
      { projectId, chat: chatKey(body.chat), profile: profileKey(body.profile), platforms },
    ]);
    const profileId = clientOf(found);
    const now = clock.now();
    const happened = body.happened_at ? momentOf(body.happened_at) : now;
    const made = await insertConversion(sql, {
      project_id: projectId,
      id,
      key: body.key,
      name: body.name ?? null,
      profile_id: profileId,
      happened_at: happened < now ? happened : now,
      created_at: now,
    });
    const row = made ?? (await findConversion(sql, projectId, { key: body.key }));
    if (!row) throw new Error('a conversion that was just stored is not there');
    const isOther = row.profile_id !== profileId && (await isProfile(sql, projectId, row.profile_id));
    if (isOther) throw invalid('key', 'This key belongs to another client.');
    return presentConversion(row);
  },
  recall: async ({ sql }, { projectId }, id) => {
    const row = await findConversion(sql, projectId, { id });
    return row && presentConversion(row);
  },
});

function clientOf(found: Recipient | undefined): string {
  switch (found?.kind) {
    case 'found':
      return found.chat.profileId;
    case 'no_chat':
      return found.profileId;
    case 'profile_not_found':
      throw new NotFound('Profile not found.');
    case 'chat_not_found':
    case undefined:
      throw new NotFound('Chat not found.');
  }
}

const presentConversion = (row: ConversionRow): Conversion => ({
  uuid: row.id,
  key: row.key,
  name: row.name,
  profile: { uuid: row.profile_id },
  mailing: { uuid: row.mailing_id },
  happened_at: row.happened_at.toISOString(),
  created_at: row.created_at.toISOString(),
});
