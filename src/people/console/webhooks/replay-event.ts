import Type from 'typebox';
import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { Uuid } from '../../../platform/http/fields.ts';
import { replayEvent } from './replay.ts';

/** POST /console/api/webhooks/{uuid}/events/{event}/replay/ */
export const replayAnEvent = actionFor<Member>()({
  params: Type.Object({ uuid: Uuid, event: Uuid }),
  handle: ({ context, principal: { projectId }, params: { uuid, event } }) =>
    replayEvent(context, { projectId, endpointId: uuid, eventId: event }),
});
