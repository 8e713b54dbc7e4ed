import Type, { type Static } from 'typebox';
import { platforms } from '../../../channels/contract/platforms.ts';
import { TestedMailingCreate } from '../../../mailings/ab-test/schema.ts';
import { Choice, DateTime, Integer, Nullable, Uuid } from '../../../platform/http/fields.ts';

const Count = Type.Integer();
const Words = Nullable(Type.String());

/** A mailing in progress: the fields of a new mailing, without its name. */
export const MailingDraft = Type.Object(
  { ...TestedMailingCreate.properties, name: Type.Optional(Type.String()) },
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
  /** The number that a sample of the others leads to. Null if `count` is exact, or if no estimate exists. */
  about: Nullable(Count),
  /** The given identifiers, each counted once. Null without identifiers. */
  identifiers: Nullable(Count),
  /** If `count` is not exact, these are parts of `about`. */
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

/** Clients who get the tests of mailings. The platform is that of the chat. Null without a reachable one. */
export const Colleagues = Type.Object({
  results: Type.Array(Type.Object({ profile: Person, platform: Nullable(Choice(platforms)) })),
});

export type Colleagues = Static<typeof Colleagues>;

/** A mailing in progress, and the colleagues who get it as a test. */
export const MailingTest = Type.Object(
  { ...MailingDraft.properties, colleagues: Type.Array(Uuid, { maxItems: 20 }) },
  { title: 'MailingTest' },
);

export type MailingTest = Static<typeof MailingTest>;

/** For each colleague and variant the push message, or the reason why there is none. */
export const MailingTested = Type.Object({
  results: Type.Array(
    Type.Object({
      profile: Person,
      /** Null outside of an A/B test. */
      variant: Nullable(Count),
      platform: Nullable(Choice(platforms)),
      push: Nullable(Uuid),
      problem: Words,
    }),
  ),
});

export type MailingTested = Static<typeof MailingTested>;

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

/** What keeps a mailing from being done in time. Times are in seconds. */
const Hindrance = Type.Object({
  code: Choice(['channel_paused', 'asleep', 'too_slow']),
  channel: Type.String(),
  messages: Count,
  needed: Nullable(Type.Number()),
  had: Type.Number(),
});

/** The pace of a mailing that is spread until a moment. */
export const Finish = Type.Object({
  /** Messages per second. Null if a file has the recipients. */
  per_second: Nullable(Type.Number()),
  /** Empty if the moment can be kept, as far as is known. */
  hindrances: Type.Array(Hindrance),
});

export type Finish = Static<typeof Finish>;

export const DryRun = Type.Object({
  audience: AudienceSize,
  /** Null if no message would wait. */
  quiet: Nullable(Quiet),
  /** About how many recipients will have had too many mailings by now. Null without a cap, or if a file has them. */
  capped: Nullable(Count),
  /** Null without a moment to finish by. */
  finish: Nullable(Finish),
  /** Whether the mailing then waits for a second person. */
  needs_approval: Type.Boolean(),
  /** The size above which the content must be tested, if it was not. Null if the mailing may start. */
  needs_test_above: Nullable(Count),
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
  audiences: Type.Array(Type.String()),
  tags: Type.Array(Type.String()),
  attributes: Type.Array(Type.String()),
  platforms: Type.Array(Choice(platforms)),
  topics: Type.Array(Type.String()),
});

export type Choices = Static<typeof Choices>;

export const ScheduleQuery = Type.Object({
  cron: Type.String(),
  after: Type.Optional(DateTime),
});

export type ScheduleQuery = Static<typeof ScheduleQuery>;

export const Schedule = Type.Object({ moments: Type.Array(DateTime) });

export type Schedule = Static<typeof Schedule>;
