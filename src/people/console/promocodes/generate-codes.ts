import type { Member } from '../../../access/auth/member.ts';
import { generateCodes } from '../../../clients/promocodes/generate-many.ts';
import { findGroup } from '../../../clients/promocodes/groups-store.ts';
import { formOf } from '../../../clients/promocodes/rules.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { momentOf } from '../../../platform/moment.ts';
import { NotFound } from '../../../platform/problem.ts';
import { CodesGenerate, CodesMade } from './schema.ts';

/** POST /console/api/promocode-groups/{uuid}/generate/: many codes that are new to the project. */
export const generateManyCodes = actionFor<Member>()({
  params: UuidParams,
  body: CodesGenerate,
  response: CodesMade,
  line: 'files',
  load: ({ sql }, { projectId }, { uuid }) => findGroup(sql, projectId, uuid),
  handle: async ({ context, principal: { projectId }, body: { count, ...body }, loaded: { id } }) => {
    const expiresAt = body.expires_at ? momentOf(body.expires_at) : null;
    const form = formOf({ ...body, group: id });
    const made = await generateCodes(context, { projectId, groupId: id, expiresAt }, form, count);
    if (made === 'no_group') throw new NotFound();
    return { made };
  },
});
