import Type from 'typebox';

/** Absent and null are equal: our own posts to the receiver contain nulls too. */
const optionalText = (maxLength?: number, format?: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      minLength: 1,
      ...(maxLength !== undefined && { maxLength }),
      ...(format !== undefined && { format }),
    }),
  );

const choice = <const Word extends string>(words: readonly Word[]) =>
  Type.Unsafe<Word>({ type: 'string', enum: words });

/** Ids and names are index keys, and the index limits their length. */
const MAX_KEY_LENGTH = 255;

const externalId = Type.String({ minLength: 1, maxLength: MAX_KEY_LENGTH });

/** POST `messages/`. */
export const messageBody = Type.Object({
  chat: Type.Object({
    external_id: externalId,
    name: optionalText(MAX_KEY_LENGTH),
    phone: optionalText(MAX_KEY_LENGTH),
    username: optionalText(MAX_KEY_LENGTH),
  }),
  message: Type.Object({
    external_id: externalId,
    type: choice(['text', 'image', 'document', 'button']),
    text: optionalText(),
    url: optionalText(undefined, 'uri'),
    payload: optionalText(),
  }),
});

/** POST `receipts/`. */
export const receiptBody = Type.Object({
  message: Type.Object({ uuid: Type.String({ format: 'uuid' }) }),
  state: choice(['delivered', 'read', 'undelivered']),
  detail: optionalText(),
});

/** POST `stopped/`. */
export const stoppedBody = Type.Object({ chat: Type.Object({ external_id: externalId }) });
