import Type, { type Static } from 'typebox';
import { Choice, Integer, type JsonValue, Nullable, Text, Uri, Uuid } from '../http/fields.ts';

/** Source: specification, endpoint 2. */
export const messageTypes = [
  'text',
  'image',
  'document',
  'whatsapp_template',
  'whatsapp_text',
  'telegram_personal_text',
] as const;

export type MessageType = (typeof messageTypes)[number];

const absent = <S extends Parameters<typeof Nullable>[0]>(schema: S) => Type.Optional(Nullable(schema));
const anything = Type.Optional(
  Type.Unsafe<{ [name: string]: JsonValue } | null>({ type: ['object', 'null'] }),
);

export const Message = Type.Object({
  type: Choice(messageTypes),
  text: absent(Text()),
  url: absent(Uri),
  whatsapp_template: absent(Type.Object({ template_id: Text(), template_variables: anything })),
  /** Short enough for an index. */
  external_id: absent(Text(512)),
});

export const ConnectorEvent = Type.Object({
  event: Choice(['message_created', 'session_closed', 'note_created']),
  chat: Type.Object({
    uuid: absent(Uuid),
    phone_number: absent(Text()),
    username: absent(Text(64)),
    variables: anything,
  }),
  sender: Type.Object({ name: absent(Text()), uuid: absent(Uuid) }),
  timestamp: Integer(),
  message: absent(Message),
  note: absent(Type.Object({ text: Text() })),
  session: absent(Type.Object({ category_name: absent(Type.String()), theme_name: absent(Type.String()) })),
});

export type Message = Static<typeof Message>;
export type ConnectorEvent = Static<typeof ConnectorEvent>;

/** Ids that do not apply are null. */
export const ConnectorAnswer = Type.Object({
  status: Type.Literal('ok'),
  chat_uuid: Nullable(Uuid),
  profile_uuid: Nullable(Uuid),
  message_uuid: Nullable(Uuid),
  external_id: Nullable(Type.String()),
});

export type ConnectorAnswer = Static<typeof ConnectorAnswer>;
