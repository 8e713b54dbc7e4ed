import { createAttachment } from '../attachments/create.ts';
import { reserveUpload } from '../attachments/reserve.ts';
import { Attachment, AttachmentQuery, attachmentLimit } from '../attachments/schema.ts';
import type { Member } from '../auth/member.ts';
import { actionFor } from '../http/action.ts';
import { ByteStream } from '../http/fields.ts';
import type { Places } from '../limits/places.ts';

/** Whose a file is until it is sent. */
export const uploaderOf = ({ operatorId }: Member): string => `operator ${operatorId}`;

/** POST /chat-center/api/attachments/: a file for a message that the operator has yet to send. */
export const uploadAttachment = (places: Places) =>
  actionFor<Member>()({
    query: AttachmentQuery,
    body: ByteStream,
    bodyLimit: attachmentLimit,
    response: Attachment,
    status: 201,
    reserve: ({ context, principal: { projectId }, request, reply }) =>
      reserveUpload(places, { context, request, reply }, { projectId, from: null }),
    handle: ({ context, principal, query: { name = '' }, body }) =>
      createAttachment(context, {
        projectId: principal.projectId,
        name,
        bytes: body,
        by: uploaderOf(principal),
      }),
  });
