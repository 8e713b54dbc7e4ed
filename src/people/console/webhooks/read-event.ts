import Type from 'typebox';
import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { Uuid } from '../../../platform/http/fields.ts';
import { findAttempts, findEvent } from './log-store.ts';
import { presentDetails } from './present.ts';
import { EventDetails } from './schema.ts';

/** GET /console/api/webhooks/{uuid}/events/{event}/: the body, and every attempt. */
export const readEvent = actionFor<Member>()({
  params: Type.Object({ uuid: Uuid, event: Uuid }),
  response: EventDetails,
  load: ({ sql }, { projectId }, { uuid, event }) =>
    findEvent(sql, { projectId, endpointId: uuid, eventId: event }),
  handle: async ({ context, principal: { projectId }, params: { uuid, event }, loaded }) =>
    presentDetails(loaded, await findAttempts(context.sql, { projectId, endpointId: uuid, eventId: event })),
});
