import Type, { type Static } from 'typebox';
import {
  apart,
  Choice,
  DateTime,
  described,
  Integer,
  type JsonValue,
  mostKept,
  Nullable,
  Text,
  Uuid,
} from '../platform/http/fields.ts';

const optional = Type.Optional;

export const contentTypes = ['TEXT', 'NODE', 'TEMPLATE_WHATSAPP', 'MIXED'] as const;

export type ContentType = (typeof contentTypes)[number];

export const mailingStates = ['planned', 'in_process', 'completed', 'stopped', 'error'] as const;

export type MailingState = (typeof mailingStates)[number];

export const filterFields = ['UUID', 'EXTERNAL_ID', 'PHONE_NUMBER', 'CHAT_UUID'] as const;

export type FilterField = (typeof filterFields)[number];

export const origins = ['system', 'chat_center'] as const;

/** In bytes: 100,000 identifiers must fit. Source: docs/contract.md, section 1. */
export const bodyLimit = 16 * 1024 * 1024;

/** Source: docs/contract.md, section 5. */
const mostIdentifiers = 100_000;
/** Of parameters and of variables: more than any template or scenario names. */
const mostNamed = 1_000;
/** More than any messenger accepts. */
const longestText = 65_536;
const longestAddress = 8_192;

const NullableObject = Type.Unsafe<{ [name: string]: JsonValue } | null>({
  type: ['object', 'null'],
  additionalProperties: true,
});

const NullableChoice = <const Word extends string>(words: readonly Word[]) =>
  Type.Unsafe<Word | null>({ type: ['string', 'null'], enum: [...words, null] });

/** An http or https address. */
const Address = Type.String({ format: 'uri', minLength: 1, maxLength: longestAddress });

const NodeParam = Type.Object({
  name: Text(1024),
  value: Type.String(),
  type: optional(Nullable(Type.String())),
});

const TemplateVariable = Type.Object({
  type: described('`FILE`: the column with that name in the recipient file.', Choice(['GLOBAL', 'FILE'])),
  value: optional(described('With `GLOBAL`.', Nullable(Type.String()))),
});

/**
 * In characters of JSON. The body may be large for its identifiers. Fields that every answer repeats may not, or a
 * page of mailings would exceed the memory. A filter has room for a list of 10,000 uuids, but not many filters do.
 */
export const mostJson = {
  filter_chats: 524_288,
  node_get_params: mostKept,
  template_variables: mostKept,
} as const;

/** The characters of the filters of a page of mailings. Those that are as small as other objects always fit. */
export const mostFiltersOfPage = 16 * 1024 * 1024;

/** The stored form: complete. */
export type TemplateVariables = { [name: string]: { type: 'GLOBAL'; value: string } | { type: 'FILE' } };

/** Without an A/B test. Source: docs/contract.md, section 5. */
export const MailingCreate = Type.Object({
  name: Text(80),
  content_type: optional(described('Default: derived from the other fields.', NullableChoice(contentTypes))),
  text: optional(
    described(
      'Accepts placeholders: `{{name}}`, `{{attrs.city}}`, `{{promocode:Spring}}`, a column of the file.',
      Nullable(Text(longestText)),
    ),
  ),
  node_name: optional(Nullable(Text())),
  node: optional(described('Takes precedence over `node_name`.', Nullable(Integer(0)))),
  node_get_params: optional(Nullable(Type.Array(NodeParam, { maxItems: mostNamed }))),
  filter_chats: optional(
    apart(
      described(
        '`{"all": []}` selects all reachable chats. `{"audience": "<name>"}` names a saved audience, whose filter is read at the start of each run.',
        NullableObject,
      ),
    ),
  ),
  customer_filter_field: optional(
    described(
      'The identifier type in the file and the array. `CHAT_UUID` selects only the listed chats. If a client has two of them, the most recently active one gets the message.',
      NullableChoice(filterFields),
    ),
  ),
  customer_filter_file: optional(described('The URL of a CSV file.', Nullable(Address))),
  customer_filter_array: optional(
    Nullable(Type.Array(Type.String({ maxLength: 1024 }), { maxItems: mostIdentifiers })),
  ),
  phone_numbers_file: optional(described('The URL of an XLSX file.', Nullable(Address))),
  template_whatsapp: optional(Nullable(Text())),
  template_variables: optional(
    Nullable(Type.Record(Type.String(), TemplateVariable, { maxProperties: mostNamed })),
  ),
  planned_at: optional(Nullable(DateTime)),
  regular_cron: optional(described('A cron schedule with five fields, in UTC.', Nullable(Text(1024)))),
  finish_by: optional(
    described(
      'The moment by which the mailing is done. Its messages are spread evenly until then, and none is sent later. Not with `regular_cron` or the `sample` of a test.',
      Nullable(DateTime),
    ),
  ),
  topic: optional(
    described(
      'The name of a topic of the project. Who left the topic does not get the mailing.',
      Nullable(Text(80)),
    ),
  ),
  origin: optional(
    described('`chat_center` includes clients with an open operator session.', NullableChoice(origins)),
  ),
});

export type MailingCreate = Static<typeof MailingCreate>;

const Count = Type.Integer();

/** Source: docs/contract.md, section 5. */
const Statistics = Type.Object(
  {
    count_planned: Count,
    count_sent: Count,
    count_delivered: Count,
    count_undelivered: Count,
    count_read: Count,
    count_clicked: Count,
    count_jumped_url: Count,
    count_replied: Count,
    count_converted: described('Recipients with a reported conversion.', Count),
    count_platforms: Type.Record(Type.String(), Count),
  },
  { title: 'MailingStatistics' },
);

const Moment = Nullable(DateTime);
const Words = Nullable(Type.String());

/** Source: docs/contract.md, section 5. Fields that were not sent, or have not happened, are null. */
export const Mailing = Type.Object(
  {
    uuid: Uuid,
    name: Type.String({ examples: ['Spring sale'] }),
    state: Choice(mailingStates),
    state_detail: Type.String({
      description:
        'The reason for the state `error`, the recipients that a finished run skipped, or what the rest of an A/B test waits for.',
      examples: [''],
    }),
    filter_chats: NullableObject,
    filter_used: described(
      'The filter that the last run used. Before the first run: the filter when the mailing was made. A saved audience may have changed since then.',
      NullableObject,
    ),
    content_type: Choice(contentTypes),
    source_type: Type.String({ examples: ['PLATFORM'] }),
    text: Nullable(Type.String({ examples: ['Hello {{name}}!'] })),
    node: Nullable(Type.Integer()),
    node_name: Words,
    node_get_params: Type.Array(
      Type.Object({
        name: Type.String(),
        value: Type.String(),
        type: Type.String(),
        is_edit: Type.Boolean(),
        param_type: Type.String(),
      }),
    ),
    origin: Choice(origins),
    statistics: Statistics,
    regular_cron: Words,
    created_at: DateTime,
    planned_at: Moment,
    next_run_at: described(
      'The time of the planned start or of the next regular run. Null for a draft, and while a mailing waits for approval.',
      Moment,
    ),
    finish_by: described('The moment by which the mailing is done.', Moment),
    completed_at: Moment,
    duration: described('Duration of the last run, HH:MM:SS.', Words),
    template_whatsapp: Words,
    template_variables: NullableObject,
    phone_numbers_file: Words,
    customer_filter_file: Words,
    customer_filter_field: NullableChoice(filterFields),
  },
  { title: 'Mailing' },
);

export type Mailing = Static<typeof Mailing>;
