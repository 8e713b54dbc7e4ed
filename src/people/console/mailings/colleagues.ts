import type { Member } from '../../../access/auth/member.ts';
import { platforms } from '../../../channels/contract/platforms.ts';
import { byUuid } from '../../../clients/profiles/load.ts';
import { addColleague, colleaguesOn, removeColleague } from '../../../mailings/tests-store.ts';
import { isMissingRow } from '../../../platform/database/missing-row.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { withRoom } from '../../../platform/limits/room-store.ts';
import { NotFound } from '../../../platform/problem.ts';
import { Colleagues } from './draft-schema.ts';

/** GET /console/api/mailings/colleagues/: the clients who get the tests of mailings, by name. */
export const listColleagues = actionFor<Member>()({
  response: Colleagues,
  handle: async ({ context: { sql }, principal: { projectId } }) => {
    const all = await colleaguesOn(sql, projectId, platforms);
    return { results: all.map(({ id, name, platform }) => ({ profile: { uuid: id, name }, platform })) };
  },
});

/** PUT /console/api/mailings/colleagues/{uuid}/: a client gets the tests of mailings from now on. */
export const markColleague = actionFor<Member>()({
  params: UuidParams,
  load: byUuid,
  handle: async ({ context: { sql }, principal: { projectId }, loaded: { id } }) => {
    try {
      await withRoom(sql, 'colleagues', projectId, (transaction) => addColleague(transaction, projectId, id));
    } catch (error) {
      // The client was merged into another one since they were read.
      if (isMissingRow(error, 'colleagues_project_id_profile_id_fkey')) throw new NotFound();
      throw error;
    }
  },
});

/** DELETE /console/api/mailings/colleagues/{uuid}/: a client gets no more tests. */
export const unmarkColleague = actionFor<Member>()({
  params: UuidParams,
  load: byUuid,
  handle: ({ context: { sql }, principal: { projectId }, loaded: { id } }) =>
    removeColleague(sql, projectId, id),
});
