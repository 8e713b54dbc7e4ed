import type { Member } from '../../../access/auth/member.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { loadWebhook } from './load.ts';
import { countPart, replayPart } from './replay.ts';
import { wantedOf } from './rules.ts';
import { EventRange, RangePart } from './schema.ts';

/** GET /console/api/webhooks/{uuid}/replay/: the number of events that a replay would send, part by part. */
export const countRange = actionFor<Member>()({
  params: UuidParams,
  query: EventRange,
  response: RangePart,
  line: 'searches',
  load: loadWebhook,
  handle: ({ context, principal: { projectId }, query, loaded: { id } }) =>
    countPart(context, wantedOf({ projectId, endpointId: id }, query), query.after ?? null),
});

/**
 * POST of the same: sends them, part by part. A repeated part sends nothing twice while it waits. It writes as many
 * rows as an import of a file, and waits with these.
 */
export const replayRange = actionFor<Member>()({
  params: UuidParams,
  body: EventRange,
  response: RangePart,
  line: 'files',
  load: loadWebhook,
  handle: ({ context, principal: { projectId }, body, loaded: { id } }) =>
    replayPart(context, wantedOf({ projectId, endpointId: id }, body), body.after ?? null),
});
