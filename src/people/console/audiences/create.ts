import type { Member } from '../../../access/auth/member.ts';
import { findAudience, insertAudience } from '../../../clients/audiences/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { withRoom } from '../../../platform/limits/room-store.ts';
import { invalid, messages, NotFound } from '../../../platform/problem.ts';
import { presentAudience } from './present.ts';
import { checkAudience } from './rules.ts';
import { AudienceWrite, SavedAudience } from './schema.ts';

/** POST /console/api/audiences/. */
export const createAudience = actionFor<Member>()({
  body: AudienceWrite,
  response: SavedAudience,
  status: 201,
  handle: async ({ context, principal: { projectId, operatorId, name: authorName }, body }) => {
    checkAudience(body);
    const { sql, clock, newId } = context;
    const id = newId();
    const { name, filter_chats: filter } = body;
    const audience = { id, name, filter, authorId: operatorId, authorName, now: clock.now() };
    const isMade = await withRoom(sql, 'audiences', projectId, (transaction) =>
      insertAudience(transaction, projectId, audience),
    );
    if (!isMade) throw invalid('name', messages.unique);
    const row = await findAudience(sql, projectId, id);
    if (!row) throw new NotFound();
    return presentAudience(row);
  },
});
