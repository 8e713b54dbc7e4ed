import { createAttachment } from '../attachments/create.ts';
import { Attachment, AttachmentQuery, attachmentLimit } from '../attachments/schema.ts';
import { actionFor } from '../http/action.ts';
import { RawBytes } from '../http/fields.ts';
import type { floodGate } from './flood.ts';
import { loadForVisitor } from './load.ts';
import { uploaderOf } from './rules.ts';
import { WidgetParams } from './schema.ts';
import type { Visitor } from './visitor.ts';

/** POST `/widget/{channel}/attachments/?name=`: a file, for a message that names it within a day. */
export const upload = (admit: ReturnType<typeof floodGate>) =>
  actionFor<Visitor>()({
    params: WidgetParams,
    query: AttachmentQuery,
    body: RawBytes,
    bodyLimit: attachmentLimit,
    response: Attachment,
    status: 201,
    load: loadForVisitor,
    handle: async ({ context, query: { name = '' }, body, loaded: { chat } }) => {
      const by = uploaderOf(chat);
      admit(by);
      return createAttachment(context, { projectId: chat.projectId, name, bytes: body, by });
    },
  });
