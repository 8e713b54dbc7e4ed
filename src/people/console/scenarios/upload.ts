import type { Member } from '../../../access/auth/member.ts';
import { createAttachment } from '../../../messaging/attachments/create.ts';
import { reserveUpload } from '../../../messaging/attachments/reserve.ts';
import { Attachment, AttachmentQuery, attachmentLimit } from '../../../messaging/attachments/schema.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { ByteStream } from '../../../platform/http/fields.ts';
import type { Places } from '../../../platform/places.ts';

/** POST /console/api/attachments/: a picture or a file for a scenario. It is kept from now on. */
export const uploadFile = (places: Places) =>
  actionFor<Member>()({
    query: AttachmentQuery,
    body: ByteStream,
    bodyLimit: attachmentLimit,
    response: Attachment,
    status: 201,
    reserve: ({ context, principal: { projectId }, request, reply }) =>
      reserveUpload(places, { context, request, reply }, { projectId, from: null }),
    handle: ({ context, principal: { projectId }, query: { name = '' }, body }) =>
      createAttachment(context, { projectId, name, bytes: body }),
  });
