import Type, { type Static, type TObject } from 'typebox';
import { apart, Choice, described, JsonObject, Nullable, Text } from '../platform/http/fields.ts';

/**
 * The form of a scenario's file, published as `docs/scenario.schema.json`. Texts may contain placeholders: a variable
 * by its bare name, `{{profile.name}}`, `{{attrs.city}}`, `{{promocode:Spring}}`.
 */

export const maxSteps = 500;

const optional = Type.Optional;
const closed = { additionalProperties: false } as const;

const StepId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
  description: 'The name of the step within its scenario: letters, digits, - and _.',
});
/** Absent: the next step in the file. After the last one the scenario ends. */
const Next = optional(Text(64));
const Name = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$' });
const Words = Text(4_096);
const part = (most: number) => optional(Type.Number({ minimum: 0, maximum: most }));

/** The sum of its parts. At most 366 days. */
export const Duration = Type.Object(
  { seconds: part(31_622_400), minutes: part(527_040), hours: part(8_784), days: part(366) },
  closed,
);

export const Button = Type.Object(
  { text: Text(64), payload: optional(Text(64)), url: optional(Text(2_048)), next: Next },
  closed,
);

const Option = Type.Object({ text: Text(64), value: optional(Text(64)), next: Next }, closed);

/** The places for a value: a variable of this scenario, an attribute of the profile, or both. */
const Keep = Type.Object({ variable: optional(Name), attribute: optional(Text(255)) }, closed);

const step = <const Word extends string, Fields extends Parameters<typeof Type.Object>[0]>(
  type: Word,
  description: string,
  fields: Fields,
) => Type.Object({ id: StepId, type: Type.Literal(type), ...fields }, { ...closed, description });

export const MessageStep = step(
  'message',
  'Sends a text, an image or a document. A step with a button that has `next` waits. A clicked button continues at its `next`; any other reply continues at the step’s `next`.',
  {
    text: optional(Words),
    image: optional(Text(2_048)),
    document: optional(Text(2_048)),
    buttons: optional(Type.Array(Button, { maxItems: 20 })),
    next: Next,
  },
);

export const checks = ['any', 'text', 'number', 'phone', 'email', 'date', 'choice'] as const;

export const AskStep = step(
  'ask',
  'Asks, waits for the answer, validates it and stores it. The options of a choice are shown as buttons.',
  {
    text: Words,
    check: optional(Choice(checks)),
    options: optional(Type.Array(Option, { minItems: 1, maxItems: 20 })),
    keep: optional(Keep),
    retry: optional(
      Type.Object(
        { text: optional(Words), times: optional(Type.Integer({ minimum: 0, maximum: 10 })) },
        closed,
      ),
    ),
    failed: Next,
    timeout: optional(Type.Object({ after: Duration, next: Next }, closed)),
    next: Next,
  },
);

export const BranchStep = step(
  'branch',
  'Continues at the first matching case, or else at `next`. A case is a filter, as in mailings, or `{"audience": "<name>"}` for a saved audience. The variables of the scenario are among those of the chat.',
  {
    cases: Type.Array(Type.Object({ when: apart(JsonObject), next: Text(64) }, closed), {
      minItems: 1,
      maxItems: 50,
    }),
    next: Next,
  },
);

const Texts = Type.Record(Type.String({ maxLength: 255 }), Nullable(Words));

export const SetStep = step(
  'set',
  'Sets variables, and attributes and tags of the profile. Null clears. Undefined attributes and tags are ignored.',
  {
    variables: optional(Texts),
    attributes: optional(Texts),
    add_tags: optional(Type.Array(Text(255), { maxItems: 50 })),
    remove_tags: optional(Type.Array(Text(255), { maxItems: 50 })),
    next: Next,
  },
);

export const WaitStep = step(
  'wait',
  'Waits for a duration, until a timestamp (ISO 8601 with a zone), or until a local time of the client (HH:MM). Messages of the client meanwhile are not treated as answers.',
  {
    for: optional(Duration),
    until: optional(Text(255)),
    at: optional(Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })),
    next: Next,
  },
);

export const RequestStep = step(
  'request',
  'Calls a URL and stores parts of its JSON response, selected by JSON Pointer (RFC 6901). Any result other than a 2xx response within 15 seconds is a failure.',
  {
    method: optional(Choice(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
    url: Text(2_048),
    headers: optional(Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }), Text(2_048))),
    body: optional(
      Type.Unknown({ description: 'A text is sent unchanged; any other value is sent as JSON.' }),
    ),
    keep: optional(Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 1_024 }))),
    failed: Next,
    next: Next,
  },
);

export const PromocodeStep = step('promocode', 'Issues an available code of a group to this client.', {
  group: Text(255),
  variable: Name,
  empty: Next,
  next: Next,
});

export const OperatorStep = step(
  'operator',
  'Hands the chat over to operators. After they close the session, the client’s next message continues at `next`.',
  { text: optional(Words), title: optional(Text(255)), team: optional(Text(255)), next: Next },
);

export const GotoStep = step(
  'goto',
  'Continues at a step, or starts another scenario with the same variables.',
  {
    step: Next,
    scenario: optional(Text(255)),
  },
);

export const EndStep = step('end', 'Ends the scenario.', {});

/** The schema of each type of step. */
export const stepSchemas = {
  message: MessageStep,
  ask: AskStep,
  branch: BranchStep,
  set: SetStep,
  wait: WaitStep,
  request: RequestStep,
  promocode: PromocodeStep,
  operator: OperatorStep,
  goto: GotoStep,
  end: EndStep,
} as const satisfies Record<string, TObject>;

export type StepType = keyof typeof stepSchemas;
export type Step = { [Type in StepType]: Static<(typeof stepSchemas)[Type]> }[StepType];
export type StepOf<Type extends StepType> = Extract<Step, { type: Type }>;
export type Duration = Static<typeof Duration>;
export type Button = Static<typeof Button>;

/** Positions of cards and comments. A run does not read it. */
const Canvas = optional(
  described('Where the console draws the steps, and the comments beside them. A run ignores it.', JsonObject),
);

/** The fields around the steps. The schema of its type reads each step. */
export const Frame = Type.Object(
  {
    $schema: optional(Type.String()),
    name: Text(255),
    description: optional(Type.String({ maxLength: 4_096 })),
    start: optional(Text(64)),
    canvas: Canvas,
    steps: Type.Array(apart(Type.Object({ id: StepId, type: Choice(Object.keys(stepSchemas)) })), {
      minItems: 1,
      maxItems: maxSteps,
    }),
  },
  closed,
);

/** A scenario's definition, in its file and in the database. */
export const ScenarioSchema = Type.Object(
  {
    ...Frame.properties,
    steps: Type.Array(Type.Union(Object.values(stepSchemas)), { minItems: 1, maxItems: maxSteps }),
  },
  { ...closed, $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Scenario' },
);

export type Scenario = {
  name: string;
  description?: string;
  /** The first step. Default: the first of the list. */
  start?: string;
  /** Of the console alone. */
  canvas?: object;
  steps: Step[];
};
