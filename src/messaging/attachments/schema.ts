import Type, { type Static } from 'typebox';
import { Integer, Uuid } from '../../platform/http/fields.ts';

/** The largest file in bytes: the `bodyLimit` of an action that accepts files. */
export const attachmentLimit = 20 * 1024 * 1024;

/** The query of an action whose body is a file. */
export const AttachmentQuery = Type.Object({
  /** The file's original name. */
  name: Type.Optional(Type.String()),
});

export const Attachment = Type.Object({
  uuid: Uuid,
  /** A public address of the file. */
  url: Type.String(),
  name: Type.String(),
  /** The media type of the bytes, such as `image/png`. */
  type: Type.String(),
  /** In bytes. */
  size: Integer(),
});

export type Attachment = Static<typeof Attachment>;
