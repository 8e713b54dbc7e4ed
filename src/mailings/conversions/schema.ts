import Type, { type Static } from 'typebox';
import { PushMessageCreate } from '../../messaging/push-messages/schema.ts';
import { DateTime, described, Nullable, PhoneNumber, Text, Uuid } from '../../platform/http/fields.ts';

const optional = Type.Optional;

/** Source: docs/contract.md, section 5. */
export const ConversionCreate = Type.Object(
  {
    key: described(
      'Your own id of what happened, for example of an order. A key counts once, however often it is reported.',
      Text(255),
    ),
    chat: PushMessageCreate.properties.chat,
    profile: optional(
      Nullable(
        Type.Object(
          {
            uuid: optional(Uuid),
            phone_number: optional(described('E.164, with or without the `+`.', PhoneNumber)),
            external_id: optional(Text()),
          },
          {
            description: 'The client, identified by exactly one identifier.',
            examples: [{ phone_number: '+12025550123' }],
          },
        ),
      ),
    ),
    name: optional(described('What happened, in your words.', Nullable(Type.String({ maxLength: 255 })))),
    happened_at: optional(described('Absent or in the future: now.', Nullable(DateTime))),
  },
  {
    title: 'ConversionCreate',
    examples: [{ key: 'order-1024', profile: { phone_number: '+12025550123' }, name: 'order' }],
  },
);

export type ConversionCreate = Static<typeof ConversionCreate>;

export const Conversion = Type.Object(
  {
    uuid: Uuid,
    key: Type.String({ examples: ['order-1024'] }),
    name: Nullable(Type.String({ examples: ['order'] })),
    profile: Type.Object({ uuid: Uuid }),
    mailing: Type.Object(
      { uuid: Nullable(Uuid) },
      { description: 'The mailing that the client got last before. Null without one in time.' },
    ),
    happened_at: DateTime,
    created_at: DateTime,
  },
  { title: 'Conversion' },
);

export type Conversion = Static<typeof Conversion>;
