import Type, { type Static } from 'typebox';
import { Choice, DateTime, Integer, JsonObject, Nullable, Text, Uuid } from '../http/fields.ts';

/** Source: specification, endpoint 7. */
export const contentTypes = [
  'TEXT',
  'NODE',
  'WHATSAPP_TEMPLATE',
  'WHATSAPP_TEXT',
  'TELEGRAM_PERSONAL_TEXT',
  'TELEGRAM_PERSONAL_NODE',
  'MAX_PERSONAL_TEXT',
  'MAX_PERSONAL_NODE',
] as const;

export type ContentType = (typeof contentTypes)[number];

export const pushStates = [
  'PENDING',
  'IN_PROCESS',
  'SENT',
  'DELIVERED',
  'READ',
  'UNDELIVERED',
  'CANCELLED',
  'ERROR',
] as const;

export type PushState = (typeof pushStates)[number];

const optional = Type.Optional;

/** The content as sent, and as it is echoed. */
export const Content = Type.Object({
  type: Choice(contentTypes),
  text: optional(Text()),
  node: optional(Type.Object({ name: Text() })),
  get_params: optional(JsonObject),
  whatsapp_template: optional(Type.Object({ pid: Text() })),
  whatsapp_template_variables: optional(JsonObject),
});

export const PushMessageCreate = Type.Object({
  content: Content,
  chat: optional(
    Nullable(
      Type.Object({
        uuid: optional(Uuid),
        telegram_id: optional(Integer()),
        telegram_username: optional(Text()),
        vkontakte_id: optional(Integer()),
        max_id: optional(Integer()),
      }),
    ),
  ),
  profile: optional(
    Nullable(
      Type.Object({
        uuid: optional(Uuid),
        phone_number: optional(Text()),
        external_id: optional(Text()),
        tags: optional(Type.Array(Type.String())),
        attrs: optional(JsonObject),
      }),
    ),
  ),
  campaign: optional(Nullable(Type.Object({ uuid: optional(Uuid), name: optional(Type.String()) }))),
  launch_at: optional(Nullable(DateTime)),
  is_force: optional(Type.Boolean()),
  tag: optional(Nullable(Type.String({ maxLength: 64 }))),
});

export type PushMessageCreate = Static<typeof PushMessageCreate>;

const Moment = Nullable(DateTime);

/** Source: specification, "PushMessage". */
export const PushMessage = Type.Object({
  uuid: Uuid,
  chat: Type.Object({ uuid: Nullable(Uuid), platform: Nullable(Type.String()) }),
  state: Type.Object({ code: Choice(pushStates), detail: Type.String() }),
  content: Content,
  launch_at: Moment,
  created_at: DateTime,
  sent_at: Moment,
  delivered_at: Moment,
  read_at: Moment,
});

export type PushMessage = Static<typeof PushMessage>;

export const PushMessageFilters = Type.Object({
  state: optional(Choice(pushStates)),
  chat: optional(Uuid),
  profile: optional(Uuid),
  /** The campaign's uuid or its name. */
  campaign: optional(Type.String()),
  tag: optional(Type.String()),
  created_at__gte: optional(DateTime),
  created_at__lte: optional(DateTime),
});

export type PushMessageFilters = Static<typeof PushMessageFilters>;
