import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/** The parts of a webhook's body that we read. Source: developers.facebook.com, "messages webhook reference". */

const maybeText = Type.Optional(Type.String());

const Media = Type.Optional(
  Type.Object({ id: Type.String({ minLength: 1 }), caption: maybeText, filename: maybeText }),
);

const Reply = Type.Optional(Type.Object({ id: Type.String(), title: maybeText }));

const Figure = Type.Union([Type.Number(), Type.String()]);

const OrderLine = Type.Object({
  product_retailer_id: Type.String(),
  quantity: Figure,
  item_price: Type.Optional(Figure),
  currency: maybeText,
});

const Order = Type.Object({ text: maybeText, product_items: Type.Optional(Type.Array(OrderLine)) });

export const Message = Type.Object({
  id: Type.String({ minLength: 1 }),
  from: maybeText,
  from_user_id: maybeText,
  /** Only of a message in a group. */
  group_id: maybeText,
  type: Type.String(),
  text: Type.Optional(Type.Object({ body: Type.String() })),
  image: Media,
  document: Media,
  audio: Media,
  video: Media,
  sticker: Media,
  location: Type.Optional(
    Type.Object({ latitude: Type.Number(), longitude: Type.Number(), name: maybeText, address: maybeText }),
  ),
  contacts: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.Optional(Type.Object({ formatted_name: maybeText })),
        phones: Type.Optional(Type.Array(Type.Object({ phone: maybeText }))),
      }),
    ),
  ),
  button: Type.Optional(Type.Object({ text: maybeText, payload: maybeText })),
  /** Our message that the client answers, or has pressed a button of. */
  context: Type.Optional(Type.Object({ id: maybeText })),
  system: Type.Optional(
    Type.Object({ type: maybeText, wa_id: maybeText, user_id: maybeText, previous_user_id: maybeText }),
  ),
  /** The advertisement or post that the client pressed. */
  referral: Type.Optional(Type.Object({ source_id: maybeText })),
  interactive: Type.Optional(
    Type.Object({
      button_reply: Reply,
      list_reply: Reply,
      /** A completed form. */
      nfm_reply: Type.Optional(Type.Object({ body: maybeText, response_json: Type.String() })),
    }),
  ),
  order: Type.Optional(Order),
});

export const Status = Type.Object({
  id: Type.String({ minLength: 1 }),
  status: Type.String(),
  biz_opaque_callback_data: maybeText,
  errors: Type.Optional(
    Type.Array(
      Type.Object({
        title: maybeText,
        message: maybeText,
        error_data: Type.Optional(Type.Object({ details: maybeText })),
      }),
    ),
  ),
});

const Contact = Type.Object({
  wa_id: maybeText,
  user_id: maybeText,
  profile: Type.Optional(Type.Object({ name: maybeText, username: maybeText })),
});

const ChangeValue = Type.Object({
  metadata: Type.Optional(Type.Object({ phone_number_id: maybeText })),
  contacts: Type.Optional(Type.Array(Contact)),
  messages: Type.Optional(Type.Array(Type.Unknown())),
  statuses: Type.Optional(Type.Array(Type.Unknown())),
});

const Notification = Type.Object({
  entry: Type.Array(
    Type.Object({ changes: Type.Array(Type.Object({ field: Type.String(), value: Type.Unknown() })) }),
  ),
});

export type Order = Static<typeof Order>;
export type OrderLine = Static<typeof OrderLine>;
export type Message = Static<typeof Message>;
export type Status = Static<typeof Status>;
export type Contact = Static<typeof Contact>;
export type Change = { field: string; value: Static<typeof ChangeValue> };

export const isMessage = (value: unknown): value is Message => Value.Check(Message, value);
export const isStatus = (value: unknown): value is Status => Value.Check(Status, value);

/** The changes in a body. None in a body of another form. */
export function changesIn(body: unknown): Change[] {
  if (!Value.Check(Notification, body)) return [];
  return body.entry
    .flatMap(({ changes }) => changes)
    .flatMap(({ field, value }) => (Value.Check(ChangeValue, value) ? [{ field, value }] : []));
}
