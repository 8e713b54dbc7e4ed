import type { Member } from '../../access/auth/member.ts';
import { createAttachment } from '../../messaging/attachments/create.ts';
import { reserveUpload } from '../../messaging/attachments/reserve.ts';
import { Attachment, AttachmentQuery, attachmentLimit } from '../../messaging/attachments/schema.ts';
import { actionFor } from '../../platform/http/action.ts';
import { ByteStream } from '../../platform/http/fields.ts';
import type { Places } from '../../platform/places.ts';

/** The owner of a file until it is sent. */
export const uploaderOf = ({ operatorId }: Member): string => `operator ${operatorId}`;

/** POST /chat-center/api/attachments/: a file for a message that the operator has not sent yet. */
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
