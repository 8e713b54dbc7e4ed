import type { Member } from '../../../access/auth/member.ts';
import { saveOverride } from '../../../mailings/override-store.ts';
import { findMailing } from '../../../mailings/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { withRoom } from '../../../platform/limits/room-store.ts';
import { invalid, messages, Refused } from '../../../platform/problem.ts';
import { OverrideCreate } from './schema.ts';

/**
 * POST /console/api/mailings/{uuid}/overrides/: lets one mailing ignore quiet hours or the frequency cap. Messages that
 * wait are sent. Messages that were refused stay so.
 */
export const overrideRules = actionFor<Member>()({
  params: UuidParams,
  body: OverrideCreate,
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: async ({ context, principal: { projectId, operatorId, name }, body, loaded }) => {
    const { quiet_hours = false, cap = false, reason } = body;
    if (!quiet_hours && !cap) throw invalid('quiet_hours', messages.required);
    if (reason.trim() === '') throw invalid('reason', messages.blank);
    const override = {
      id: context.newId(),
      quiet_hours,
      cap,
      reason: reason.trim(),
      author_id: operatorId,
      author_name: name,
      created_at: context.clock.now(),
    };
    const isSaved = await withRoom(context.sql, 'mailing_overrides', loaded.id, (transaction) =>
      saveOverride(transaction, { projectId, mailingId: loaded.id }, override),
    );
    if (!isSaved) throw new Refused('The mailing has ended.');
    context.log.info(
      { projectId, mailing: loaded.id, by: operatorId },
      'a mailing was allowed to ignore rules',
    );
    context.wake.wake('planning');
  },
});
