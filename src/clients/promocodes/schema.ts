import Type, { type Static } from 'typebox';
import { Choice, DateTime, described, Integer, Nullable, Uuid } from '../../platform/http/fields.ts';

const optional = Type.Optional;

/** The limit for a group's name and for a code, in characters. Source: docs/contract.md, section 7. */
export const maxLength = 1024;

const Name = Type.String({ minLength: 1, maxLength, examples: ['Spring'] });
const Code = Type.String({ minLength: 1, maxLength, examples: ['SPRING-7F3K'] });
const Status = Choice(['AVAILABLE', 'ISSUED']);
const Moment = Nullable(DateTime);

/** Source: docs/contract.md, section 7. */
export const PromocodeGroup = Type.Object({ uuid: Uuid, name: Name }, { title: 'PromocodeGroup' });

export type PromocodeGroup = Static<typeof PromocodeGroup>;

export const PromocodeGroupCreate = Type.Object({ name: Name });

export const PromocodeGroupPatch = Type.Object({ name: optional(Name) });

/** Source: docs/contract.md, section 7. */
export const Promocode = Type.Object(
  {
    uuid: Uuid,
    code: Code,
    status: Status,
    group: PromocodeGroup,
    issued_chat: Nullable(
      Type.Object({ uuid: Uuid, platform: Type.String() }, { description: 'The recipient of the code.' }),
    ),
    issued_at: Moment,
    expires_at: Moment,
    created_at: DateTime,
    updated_at: DateTime,
  },
  { title: 'Promocode' },
);

export type Promocode = Static<typeof Promocode>;

export const PromocodeCreate = Type.Object({
  code: described('Unique in the project.', Code),
  group: described('The uuid of the group.', Uuid),
  issued_chat: optional(described('The uuid of the chat.', Nullable(Uuid))),
  expires_at: optional(Moment),
});

/** The answer to a create: references are bare uuids. Source: docs/contract.md, section 7. */
export const CreatedPromocode = Type.Object(
  {
    uuid: Uuid,
    code: Code,
    status: Status,
    group: described('The uuid of the group.', Uuid),
    issued_chat: described('The uuid of the chat.', Nullable(Uuid)),
    issued_at: Moment,
    expires_at: Moment,
  },
  { title: 'CreatedPromocode' },
);

export type CreatedPromocode = Static<typeof CreatedPromocode>;

const Reference = Type.Object({ uuid: Uuid });

export const PromocodePatch = Type.Object({
  code: optional(Code),
  status: optional(Status),
  group: optional(Type.Union([Uuid, Reference])),
  issued_chat: optional(Type.Union([Nullable(Uuid), Reference])),
  issued_at: optional(Moment),
  expires_at: optional(Moment),
});

export type PromocodePatch = Static<typeof PromocodePatch>;

/** Source: docs/contract.md, section 7. */
export const PromocodeGenerate = Type.Object({
  group: Uuid,
  chars_count: optional(described('Number of characters after the prefix. Default: 10.', Integer(5, 10))),
  is_add_integers: optional(
    Type.Boolean({ description: 'Uses digits in addition to the letters A–Z. Default: false.' }),
  ),
  prefix: optional(Type.String({ maxLength, examples: ['SPRING-'] })),
  expires_at: optional(Moment),
});

export type PromocodeGenerate = Static<typeof PromocodeGenerate>;

export const GeneratedCode = Type.Object({ code: Code }, { title: 'GeneratedPromocode' });

export const PromocodeFilters = Type.Object({ group: optional(Uuid), status: optional(Status) });

export type PromocodeFilters = Static<typeof PromocodeFilters>;
