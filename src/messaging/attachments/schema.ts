import Type, { type Static } from 'typebox';
import { Integer, Uuid } from '../../platform/http/fields.ts';

/** How large a file may be, in bytes: the `bodyLimit` of an action that takes one. */
export const attachmentLimit = 20 * 1024 * 1024;

/** The query of an action whose body is a file. */
export const AttachmentQuery = Type.Object({
  /** What the file is called where it comes from. */
  name: Type.Optional(Type.String()),
});

export const Attachment = Type.Object({
  uuid: Uuid,
  /** Where anybody who knows it can read the file. */
  url: Type.String(),
  name: Type.String(),
  /** The media type that the bytes have, such as `image/png`. */
  type: Type.String(),
  /** Bytes. */
  size: Integer(),
});

export type Attachment = Static<typeof Attachment>;
