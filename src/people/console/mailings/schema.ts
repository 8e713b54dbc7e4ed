import Type, { type Static } from 'typebox';
import { platforms } from '../../../channels/contract/platforms.ts';
import { AbTestCreate } from '../../../mailings/ab-test/schema.ts';
import { contentTypes, Mailing, mailingStates } from '../../../mailings/schema.ts';
import { Choice, DateTime, Integer, Nullable, Text, Uuid } from '../../../platform/http/fields.ts';

const Count = Type.Integer();
const Moment = Nullable(DateTime);
const Words = Nullable(Type.String());

/** planned = pending + sent + undelivered + stopped. `sent` includes the delivered, and these include the read. */
export const MailingCounts = Type.Object({
  planned: Count,
  pending: Count,
  sent: Count,
  delivered: Count,
  read: Count,
  undelivered: Count,
  stopped: Count,
});

export type MailingCounts = Static<typeof MailingCounts>;

/** A mailing as a list shows it. `rate` is messages per second. */
export const MailingSummary = Type.Object({
  uuid: Uuid,
  name: Type.String(),
  state: Choice(mailingStates),
  state_detail: Type.String(),
  /** Whether the mailing waits for the approval of a second person. */
  awaits_approval: Type.Boolean(),
  /** The sample of a test is sent, and the rest waits until then, or until a person chooses: null. */
  rests: Nullable(Type.Object({ until: Moment })),
  /** The stage of a run. Null when nothing runs. */
  stage: Nullable(Choice(['files', 'planning', 'sending', 'stopping'])),
  content_type: Choice(contentTypes),
  regular_cron: Words,
  created_at: DateTime,
  /** The start of the next run. Null for a draft, and for a running or finished mailing. */
  next_at: Moment,
  started_at: Moment,
  completed_at: Moment,
  counts: MailingCounts,
  rate: Nullable(Type.Number()),
  seconds_left: Nullable(Type.Number()),
});

export type MailingSummary = Static<typeof MailingSummary>;

export const MailingFilters = Type.Object({ search: Type.Optional(Type.String()) });

export type MailingFilters = Static<typeof MailingFilters>;

/** What an administrator allowed to a mailing against the project's rules, and why. */
const Override = Type.Object({
  quiet_hours: Type.Boolean(),
  cap: Type.Boolean(),
  reason: Type.String(),
  author: Words,
  at: DateTime,
});

/** At least one of the two rules. */
export const OverrideCreate = Type.Object(
  {
    quiet_hours: Type.Optional(Type.Boolean()),
    cap: Type.Optional(Type.Boolean()),
    reason: Text(1_000),
  },
  { title: 'MailingOverride' },
);

export type OverrideCreate = Static<typeof OverrideCreate>;

/** The mailings that wait for the reader's approval. */
export const Approvals = Type.Object({ count: Count });

export type Approvals = Static<typeof Approvals>;

const mostOfInteger = 2_147_483_647;

/** What a person read when they approved: as `approval` of the mailing says it. */
export const Approve = Type.Object(
  {
    revision: Integer(0, mostOfInteger),
    scenarios: Type.Optional(
      Type.Array(Type.Object({ id: Integer(1, mostOfInteger), version: Integer(1, mostOfInteger) }), {
        maxItems: 10,
      }),
    ),
  },
  { title: 'MailingApprove' },
);

/** The approval that a mailing needs. `may_approve` is about the reader. */
const Approval = Type.Object({
  is_awaited: Type.Boolean(),
  revision: Type.Integer(),
  /** Its scenarios, in the versions that it sends. */
  scenarios: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), version: Type.Integer() })),
  may_approve: Type.Boolean(),
  /** Whether the content can still be changed. It then needs another approval. */
  may_change: Type.Boolean(),
  /** Oldest first. */
  log: Type.Array(Type.Object({ kind: Choice(['asked', 'approved']), author: Words, at: DateTime })),
});

/** Messages that wait until quiet hours end, where their clients are. */
const Quiet = Type.Object({ count: Count, first_at: DateTime, last_at: DateTime });

/** The moment by which a mailing is done, and the messages per second that this takes now. Null while nothing waits. */
const Pace = Type.Object({
  by: DateTime,
  per_second: Nullable(Type.Number()),
  /** False while the active channels are slower than that. */
  is_kept: Type.Boolean(),
});

/** One mailing: as the partner API shows it, with additional fields for the console. */
export const MailingDetail = Type.Object({
  mailing: Mailing,
  summary: MailingSummary,
  run: Type.Integer({ description: 'The number of runs; 0 before the first.' }),
  has_identifiers: Type.Boolean(),
  /** What the mailing is about. */
  topic: Words,
  /** Lines of the last run's lists without a recipient. */
  problems: Count,
  /** Null if no message waits for the end of quiet hours. */
  quiet: Nullable(Quiet),
  /** Null for a mailing without a moment to finish by. */
  finish: Nullable(Pace),
  /** The rules of the project that this mailing still obeys. */
  obeys: Type.Object({ quiet_hours: Type.Boolean(), cap: Type.Boolean() }),
  /** Oldest first. */
  overrides: Type.Array(Override),
  /** The other variants and the sample, as they were given. Null without a test. */
  ab_test: Nullable(AbTestCreate),
  /** Null for a mailing that needs no approval. */
  approval: Nullable(Approval),
});

export type MailingDetail = Static<typeof MailingDetail>;

const Person = Type.Object({ uuid: Uuid, name: Words });

/** The message states, grouped for readers. */
export const recipientStates = ['pending', 'sent', 'delivered', 'read', 'undelivered', 'stopped'] as const;

export type RecipientState = (typeof recipientStates)[number];

export const RecipientFilters = Type.Object({
  state: Type.Optional(Choice(recipientStates)),
  /** An identifier of a client or a chat. */
  search: Type.Optional(Type.String()),
  /** `next` of the previous page. */
  after: Type.Optional(Uuid),
});

export type RecipientFilters = Static<typeof RecipientFilters>;

export const Recipient = Type.Object({
  uuid: Uuid,
  profile: Person,
  platform: Choice(platforms),
  run: Type.Integer(),
  /** Null outside of an A/B test. */
  variant: Nullable(Type.Integer()),
  state: Choice(recipientStates),
  reason: Type.String(),
  sent_at: Moment,
  delivered_at: Moment,
  read_at: Moment,
  jumped_at: Moment,
  clicked_at: Moment,
  replied_at: Moment,
});

export type Recipient = Static<typeof Recipient>;

/** `next` continues, even from an empty page. Null at the end. */
export const Recipients = Type.Object({ results: Type.Array(Recipient), next: Nullable(Uuid) });

export type Recipients = Static<typeof Recipients>;

/** The lines of the last run without a recipient: the first thousand of `count`. */
export const Problems = Type.Object({
  count: Count,
  results: Type.Array(
    Type.Object({
      list: Type.String(),
      line: Type.Integer(),
      identifier: Type.String(),
      reason: Type.String(),
    }),
  ),
});

export type Problems = Static<typeof Problems>;

/** The last hundred, newest first. */
export const Runs = Type.Object({
  results: Type.Array(
    Type.Object({
      run: Type.Integer(),
      started_at: DateTime,
      planned: Count,
      sent: Count,
      undelivered: Count,
      stopped: Count,
    }),
  ),
});

export type Runs = Static<typeof Runs>;

/** The events of the last run, in steps of equal length. Empty steps are left out. */
export const Timeline = Type.Object({
  step_seconds: Type.Integer(),
  /** Whether the numbers are estimated from a sample of the messages. */
  is_sample: Type.Boolean(),
  results: Type.Array(Type.Object({ at: DateTime, sent: Count, delivered: Count, read: Count })),
});

export type Timeline = Static<typeof Timeline>;

/** The recipients that the last run did not reach. */
export const Failures = Type.Object({
  reasons: Type.Array(Type.Object({ reason: Type.String(), count: Count })),
  /** The number that a resend could reach. */
  resendable: Count,
  /** The number who have blocked us or asked us to stop. */
  refused: Count,
});

export type Failures = Static<typeof Failures>;

export const Resend = Type.Object({ name: Text(80) }, { title: 'MailingResend' });

export type Resend = Static<typeof Resend>;
