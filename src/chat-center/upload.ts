import { createAttachment } from '../attachments/create.ts';
import { Attachment, AttachmentQuery, attachmentLimit } from '../attachments/schema.ts';
import type { Member } from '../auth/member.ts';
import { actionFor } from '../http/action.ts';
import { RawBytes } from '../http/fields.ts';

/** Whose a file is until it is sent. */
export const uploaderOf = ({ operatorId }: Member): string => `operator ${operatorId}`;

/** POST /chat-center/api/attachments/: a file for a message that the operator has yet to send. */
export const uploadAttachment = actionFor<Member>()({
  query: AttachmentQuery,
  body: RawBytes,
  bodyLimit: attachmentLimit,
  response: Attachment,
  status: 201,
  handle: ({ context, principal, query: { name = '' }, body }) =>
    createAttachment(context, {
      projectId: principal.projectId,
      name,
      bytes: body,
      by: uploaderOf(principal),
    }),
});
