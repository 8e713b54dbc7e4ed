import { createAttachment } from '../../messaging/attachments/create.ts';
import { reserveUpload } from '../../messaging/attachments/reserve.ts';
import type { Uploader } from '../../messaging/attachments/room.ts';
import { Attachment, AttachmentQuery, attachmentLimit } from '../../messaging/attachments/schema.ts';
import { actionFor } from '../../platform/http/action.ts';
import { strangerAddress } from '../../platform/http/caller-address.ts';
import { ByteStream } from '../../platform/http/fields.ts';
import type { Places } from '../../platform/places.ts';
import { admitUpload } from './limits.ts';
import { loadForVisitor } from './load.ts';
import { isStranger, uploaderOf } from './rules.ts';
import { WidgetParams } from './schema.ts';
import type { ChatAddress } from './store.ts';
import type { Visitor } from './visitor.ts';

const uploaderIn = ({ address }: ChatAddress): Uploader => (isStranger(address) ? 'visitor' : 'client');

/** POST `/widget/{channel}/attachments/?name=`: a file, for a message that names it within the hour. */
export const upload = (places: Places) =>
  actionFor<Visitor>()({
    params: WidgetParams,
    query: AttachmentQuery,
    body: ByteStream,
    bodyLimit: attachmentLimit,
    response: Attachment,
    status: 201,
    load: loadForVisitor,
    reserve: async ({ context, loaded: { chat }, request, reply }) => {
      const address = strangerAddress(request, context.config.trustedProxies);
      await admitUpload(context, { ...chat, address }, chat);
      await reserveUpload(
        places,
        { context, request, reply },
        { projectId: chat.projectId, uploader: uploaderIn(chat), from: address },
      );
    },
    handle: ({ context, query: { name = '' }, body, loaded: { chat } }) =>
      createAttachment(context, {
        projectId: chat.projectId,
        name,
        bytes: body,
        uploader: uploaderIn(chat),
        by: uploaderOf(chat),
      }),
  });
