import Type, { type Static } from 'typebox';
import {
  Choice,
  DateTime,
  described,
  JsonObject,
  Line,
  Nullable,
  PhoneNumber,
  Text,
  Uuid,
} from '../../platform/http/fields.ts';

const optional = Type.Optional;

/** Source: docs/contract.md, section 7. */
export const Profile = Type.Object(
  {
    uuid: Uuid,
    external_id: Nullable(
      Type.String({ description: 'The id of the client in your system.', examples: ['client-7'] }),
    ),
    phone_number: Nullable(Type.String({ description: 'E.164.', examples: ['+12025550123'] })),
    email: Nullable(Type.String({ examples: ['ann@example.com'] })),
    name: Nullable(Type.String({ examples: ['Ann Lee'] })),
    timezone: Nullable(Type.String({ examples: ['Europe/Oslo'] })),
    pda_agreed: described('The time of consent to personal data processing.', Nullable(DateTime)),
    tags: Type.Array(Type.String(), { examples: [['vip']] }),
    attrs: described('Attributes that the project defines.', JsonObject),
    chats: Type.Array(Type.Object({ uuid: Uuid, platform: Type.String({ examples: ['Telegram'] }) }), {
      description: 'Chats, most recently active first.',
    }),
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'Profile' },
);

export type Profile = Static<typeof Profile>;

/** An index accepts 2,700 bytes, and a character may take four. */
const maxExternalId = 512;
/** RFC 5321, section 4.5.3.1. */
const maxEmail = 254;
const maxName = 1024;

/** The body of PUT. Absent keys stay unchanged. `attrs` is merged by key too, and null clears. */
export const ProfileUpdate = Type.Object(
  {
    external_id: optional(Nullable(Text(maxExternalId))),
    phone_number: optional(described('E.164, with or without the `+`. Null clears.', Nullable(Text()))),
    email: optional(Nullable(Text(maxEmail))),
    name: optional(Nullable(Line(maxName))),
    timezone: optional(described('An IANA time zone name.', Nullable(Text()))),
    pda_agreed: optional(Nullable(DateTime)),
    tags: optional(Type.Array(Type.String())),
    attrs: optional(JsonObject),
  },
  { title: 'ProfileUpdate', examples: [{ name: 'Ann Lee', tags: ['vip'], attrs: { city: 'Oslo' } }] },
);

export type ProfileUpdate = Static<typeof ProfileUpdate>;

export const ProfileFilters = Type.Object({
  phone_number: optional(described('E.164, with or without the `+`.', PhoneNumber)),
  external_id: optional(Type.String()),
  tag: optional(Type.String()),
});

export type ProfileFilters = Static<typeof ProfileFilters>;

export const auditActions = ['created', 'updated', 'merged', 'deleted'] as const;

export type AuditAction = (typeof auditActions)[number];

/** Source: docs/contract.md, section 7. */
export const AuditRecord = Type.Object(
  {
    uuid: Uuid,
    profile: Type.Object({ uuid: Uuid }),
    action: Choice(auditActions),
    changes: Type.Unsafe<Static<typeof JsonObject>>({
      ...JsonObject,
      description: '`{field: [old, new]}`',
      examples: [{ name: [null, 'Ann Lee'] }],
    }),
    actor: Type.Object(
      { type: Type.String(), name: Type.String() },
      { description: 'The author of the change.' },
    ),
    timestamp: DateTime,
  },
  { title: 'ProfileChange' },
);

export type AuditRecord = Static<typeof AuditRecord>;
