import Type, { type Static } from 'typebox';
import { platforms } from '../../../channels/contract/platforms.ts';
import { MailingCreate } from '../../../mailings/schema.ts';
import { Choice, DateTime, Integer, Nullable, Uuid } from '../../../platform/http/fields.ts';

const Count = Type.Integer();
const Words = Nullable(Type.String());

/** A mailing in progress: the fields of a new mailing, without its name. */
export const MailingDraft = Type.Object(
  { ...MailingCreate.properties, name: Type.Optional(Type.String()) },
  { title: 'MailingDraft' },
);

export type MailingDraft = Static<typeof MailingDraft>;

const Person = Type.Object({ uuid: Uuid, name: Words });

/** The size of a mailing's audience if it began now. */
export const AudienceSize = Type.Object({
  /** Null if a file determines it, which is read when the mailing runs. */
  count: Nullable(Count),
  /** False if time ran out. The number is then `count` or more. */
  is_exact: Type.Boolean(),
  /** The approximate number. Null if `count` is exact, or if no estimate exists. */
  about: Nullable(Count),
  /** The given identifiers, each counted once. Null without identifiers. */
  identifiers: Nullable(Count),
  platforms: Type.Array(Type.Object({ platform: Choice(platforms), count: Count })),
});

export type AudienceSize = Static<typeof AudienceSize>;

/** The messages that some recipients would get. */
export const Preview = Type.Object({
  recipients: Type.Array(
    Type.Object({
      profile: Person,
      platform: Choice(platforms),
      type: Choice(['TEXT', 'NODE', 'WHATSAPP_TEMPLATE']),
      /** Null for a scenario, and if there is a `problem`. */
      text: Words,
      /** The reason why this recipient's text cannot be rendered. */
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

/** A probable problem. `names` are the affected objects, and `count` is their number. */
export const Warning = Type.Object({
  code: Choice(warningCodes),
  names: Type.Array(Type.String()),
  count: Nullable(Count),
});

export type Warning = Static<typeof Warning>;

/** The recipients whose messages would wait until quiet hours end. */
const Quiet = Type.Object({ count: Count, first_at: DateTime, last_at: DateTime });

export const DryRun = Type.Object({
  audience: AudienceSize,
  /** Null if no message would wait. */
  quiet: Nullable(Quiet),
  /** The time that sending would take. Null if it is unknown. */
  seconds: Nullable(Type.Number()),
  channels: Type.Array(
    Type.Object({
      name: Type.String(),
      platform: Choice(platforms),
      state: Choice(['active', 'paused']),
      messages: Count,
      /** Messages that wait before them. */
      waiting: Count,
      /** Messages per second. Null without a known limit. */
      per_second: Nullable(Type.Number()),
      /** Null for a paused channel. */
      seconds: Nullable(Type.Number()),
    }),
  ),
  warnings: Type.Array(Warning),
});

export type DryRun = Static<typeof DryRun>;

/** The parts that a mailing can be made of. */
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
