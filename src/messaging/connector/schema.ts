import Type, { type Static } from 'typebox';
import {
  Choice,
  described,
  Integer,
  type JsonValue,
  Line,
  mostKept,
  Nullable,
  PhoneNumber,
  Text,
  Uuid,
} from '../../platform/http/fields.ts';

/** Source: docs/contract.md, section 6. */
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

/** An index entry has at most 2,700 bytes, and a character at most four. */
const maxExternalId = 512;

/** An http or https address. */
const Address = Type.String({ format: 'uri', minLength: 1, maxLength: 8_192 });
const Reason = Type.String({ maxLength: 255 });

export const Message = Type.Object(
  {
    type: Choice(messageTypes),
    text: absent(described('Required with the text types.', Text(mostKept))),
    url: absent(described('URL of the image or document.', Address)),
    whatsapp_template: absent(Type.Object({ template_id: Text(), template_variables: anything })),
    external_id: absent(
      described('The id in your system. A repeated id is treated as the same message.', Text(maxExternalId)),
    ),
  },
  { description: 'Required with `message_created`.', examples: [{ type: 'text', text: 'How can I help?' }] },
);

export const ConnectorEvent = Type.Object({
  event: Choice(['message_created', 'session_closed', 'note_created']),
  chat: Type.Object(
    {
      uuid: absent(described('Required if neither a phone number nor a user name is given.', Uuid)),
      phone_number: absent(
        described('Starts a chat in WhatsApp or Telegram. E.164, with or without the `+`.', PhoneNumber),
      ),
      username: absent(described('Starts a chat in Telegram Personal.', Text(64))),
      variables: anything,
    },
    { examples: [{ uuid: '0190a1b2-0000-7000-8000-000000000001' }] },
  ),
  sender: Type.Object(
    { name: absent(Line(255)), uuid: absent(Uuid) },
    { description: 'The operator.', examples: [{ name: 'Olga' }] },
  ),
  timestamp: Type.Integer({ ...Integer(), description: 'Unix milliseconds.', examples: [1_795_147_200_000] }),
  message: absent(Message),
  note: absent(Type.Object({ text: Text(mostKept) }, { description: 'Required with `note_created`.' })),
  session: absent(
    Type.Object(
      { category_name: absent(Reason), theme_name: absent(Reason) },
      { description: 'The reason, for `session_closed`.' },
    ),
  ),
});

export type Message = Static<typeof Message>;
export type ConnectorEvent = Static<typeof ConnectorEvent>;

/** Ids that do not apply are null. */
export const ConnectorAnswer = Type.Object(
  {
    status: Type.Literal('ok'),
    chat_uuid: Nullable(Uuid),
    profile_uuid: Nullable(Uuid),
    message_uuid: Nullable(Uuid),
    external_id: Nullable(Type.String()),
  },
  { title: 'ConnectorAnswer', description: 'Ids that do not apply are null.' },
);

export type ConnectorAnswer = Static<typeof ConnectorAnswer>;
