import Type, { type Static } from 'typebox';
import { platforms } from '../../../channels/contract/platforms.ts';
import { MailingCreate } from '../../../mailings/schema.ts';
import { Choice, DateTime, Integer, Nullable, Uuid } from '../../../platform/http/fields.ts';

const Count = Type.Integer();
const Words = Nullable(Type.String());

/** A mailing that is being written: as it would be created, but for its name. */
export const MailingDraft = Type.Object(
  { ...MailingCreate.properties, name: Type.Optional(Type.String()) },
  { title: 'MailingDraft' },
);

export type MailingDraft = Static<typeof MailingDraft>;

const Person = Type.Object({ uuid: Uuid, name: Words });

/** Whom a mailing would reach if it began now. */
export const AudienceSize = Type.Object({
  /** Null where that is told by a file, which is read when the mailing runs. */
  count: Nullable(Count),
  /** False where there was no time to look at everybody: then there are `count` or more. */
  is_exact: Type.Boolean(),
  /** About how many there are; null where `count` is exact, or nothing can be said. */
  about: Nullable(Count),
  /** Identifiers that were given, each once; null where none were. */
  identifiers: Nullable(Count),
  platforms: Type.Array(Type.Object({ platform: Choice(platforms), count: Count })),
});

export type AudienceSize = Static<typeof AudienceSize>;

/** What some recipients would get. */
export const Preview = Type.Object({
  recipients: Type.Array(
    Type.Object({
      profile: Person,
      platform: Choice(platforms),
      type: Choice(['TEXT', 'NODE', 'WHATSAPP_TEMPLATE']),
      /** Null for a scenario, and where there is a `problem`. */
      text: Words,
      /** Why nothing can be said to this recipient. */
      problem: Words,
    }),
  ),
});

export type Preview = Static<typeof Preview>;

export const warningCodes = [
  'nobody',
  'draft',
  'codes_short',
  'channel_paused',
  'unknown_placeholder',
  'unknown_tag',
  'unknown_attribute',
  'night',
] as const;

export type WarningCode = (typeof warningCodes)[number];

/** What would probably go wrong. `names` are those of what it is about, `count` how many of them there are. */
export const Warning = Type.Object({
  code: Choice(warningCodes),
  names: Type.Array(Type.String()),
  count: Nullable(Count),
});

export type Warning = Static<typeof Warning>;

export const DryRun = Type.Object({
  audience: AudienceSize,
  /** How long sending would take; null where that cannot be told. */
  seconds: Nullable(Type.Number()),
  channels: Type.Array(
    Type.Object({
      name: Type.String(),
      platform: Choice(platforms),
      state: Choice(['active', 'paused']),
      messages: Count,
      /** Messages that wait before them. */
      waiting: Count,
      /** Messages a second; null where no limit is known. */
      per_second: Nullable(Type.Number()),
      /** Null for a paused channel. */
      seconds: Nullable(Type.Number()),
    }),
  ),
  warnings: Type.Array(Warning),
});

export type DryRun = Static<typeof DryRun>;

/** What a mailing can be made of. */
export const Choices = Type.Object({
  scenarios: Type.Array(Type.Object({ id: Integer(), name: Type.String() })),
  templates: Type.Array(
    Type.Object({ pid: Type.String(), body: Type.String(), variables: Type.Array(Type.String()) }),
  ),
  promocode_groups: Type.Array(Type.String()),
  tags: Type.Array(Type.String()),
  attributes: Type.Array(Type.String()),
  platforms: Type.Array(Choice(platforms)),
});

export type Choices = Static<typeof Choices>;

export const ScheduleQuery = Type.Object({
  cron: Type.String(),
  after: Type.Optional(DateTime),
});

export type ScheduleQuery = Static<typeof ScheduleQuery>;

export const Schedule = Type.Object({ moments: Type.Array(DateTime) });

export type Schedule = Static<typeof Schedule>;
