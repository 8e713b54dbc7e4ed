import Type, { type Static } from 'typebox';
import { Choice, DateTime, JsonObject, Nullable, Text, Uuid } from '../http/fields.ts';

const optional = Type.Optional;

/** Source: open points, section 7. */
export const Profile = Type.Object({
  uuid: Uuid,
  external_id: Nullable(Type.String()),
  phone_number: Nullable(Type.String()),
  email: Nullable(Type.String()),
  name: Nullable(Type.String()),
  timezone: Nullable(Type.String()),
  pda_agreed: Nullable(DateTime),
  tags: Type.Array(Type.String()),
  attrs: JsonObject,
  /** The most recently active one first. */
  chats: Type.Array(Type.Object({ uuid: Uuid, platform: Type.String() })),
  created_at: DateTime,
  updated_at: DateTime,
});

export type Profile = Static<typeof Profile>;

/** An index takes 2,700 bytes, and a character may have four of them. */
const maxExternalId = 512;
/** RFC 5321, section 4.5.3.1. */
const maxEmail = 254;
const maxName = 1024;

/** What PUT takes. Absent keys stay as they are; `attrs` too is taken key by key, and null clears. */
export const ProfileUpdate = Type.Object({
  external_id: optional(Nullable(Text(maxExternalId))),
  phone_number: optional(Nullable(Text())),
  email: optional(Nullable(Text(maxEmail))),
  name: optional(Nullable(Text(maxName))),
  timezone: optional(Nullable(Text())),
  pda_agreed: optional(Nullable(DateTime)),
  tags: optional(Type.Array(Type.String())),
  attrs: optional(JsonObject),
});

export type ProfileUpdate = Static<typeof ProfileUpdate>;

export const ProfileFilters = Type.Object({
  phone_number: optional(Type.String()),
  external_id: optional(Type.String()),
  tag: optional(Type.String()),
});

export type ProfileFilters = Static<typeof ProfileFilters>;

export const auditActions = ['created', 'updated', 'merged', 'deleted'] as const;

export type AuditAction = (typeof auditActions)[number];

/** Source: open points, section 7, "Audit". */
export const AuditRecord = Type.Object({
  uuid: Uuid,
  profile: Type.Object({ uuid: Uuid }),
  action: Choice(auditActions),
  /** `{field: [old, new]}` */
  changes: JsonObject,
  actor: Type.Object({ type: Type.String(), name: Type.String() }),
  timestamp: DateTime,
});

export type AuditRecord = Static<typeof AuditRecord>;
