import type { Member } from '../../access/auth/member.ts';
import { actionFor } from '../../platform/http/action.ts';
import { ByteStream } from '../../platform/http/fields.ts';
import type { Places } from '../../platform/places.ts';
import { createAttachment } from './create.ts';
import { reserveUpload } from './reserve.ts';
import { Attachment, AttachmentQuery, attachmentLimit } from './schema.ts';

/** The file of a person of the project. With an owner it is unused until it is sent, without one it is kept. */
export const uploadByMember = (places: Places, ownerOf: (member: Member) => string | undefined) =>
  actionFor<Member>()({
    query: AttachmentQuery,
    body: ByteStream,
    bodyLimit: attachmentLimit,
    response: Attachment,
    status: 201,
    reserve: ({ context, principal: { projectId }, request, reply }) =>
      reserveUpload(places, { context, request, reply }, { projectId, uploader: 'member', from: null }),
    handle: ({ context, principal, query: { name = '' }, body }) =>
      createAttachment(context, {
        projectId: principal.projectId,
        name,
        bytes: body,
        uploader: 'member',
        by: ownerOf(principal),
      }),
  });
