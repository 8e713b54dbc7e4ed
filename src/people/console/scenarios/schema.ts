import Type, { type Static } from 'typebox';
import type { Facts } from '../../../clients/filters/facts.ts';
import {
  Choice,
  DateTime,
  Integer,
  JsonObject,
  Nullable,
  Text,
  Uuid,
} from '../../../platform/http/fields.ts';
import type { Entry } from '../../../scenarios/transcript.ts';

export const ScenarioParams = Type.Object({ id: Type.String({ pattern: '^\\d{1,9}$' }) });
export const VersionParams = Type.Object({
  ...ScenarioParams.properties,
  version: Type.String({ pattern: '^\\d{1,9}$' }),
});
export const TestParams = Type.Object({ ...ScenarioParams.properties, test: Uuid });

/** The person who saved a version, and the time. The name is null for a save from the command line. */
const Saved = { saved_at: DateTime, saved_by: Nullable(Type.String()) };

/** `running` counts no further than 1,000. */
const Use = {
  running: Type.Integer(),
  welcome: Type.Boolean(),
  keywords: Type.Array(Type.String()),
  by_events: Type.Boolean(),
  has_draft: Type.Boolean(),
};

export const ListedScenario = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  version: Type.Integer(),
  ...Saved,
  ...Use,
});

export type ListedScenario = Static<typeof ListedScenario>;

export const ScenarioVersion = Type.Object({ version: Type.Integer(), ...Saved });

export type ScenarioVersion = Static<typeof ScenarioVersion>;

/** `source` is the original JSON text. */
export const ScenarioSource = Type.Object({ ...ScenarioVersion.properties, source: Type.String() });

export type ScenarioSource = Static<typeof ScenarioSource>;

export const ScenarioTest = Type.Object({ uuid: Uuid, name: Type.String(), script: JsonObject });

export type ScenarioTest = Static<typeof ScenarioTest>;

/** The maximum of an integer column. */
const greatest = 2_147_483_647;

/** The text that nobody follows yet. Its revision is 0 before the first one, and `source` is null without a text. */
export const ScenarioDraft = Type.Object({
  revision: Type.Integer(),
  version: Nullable(Type.Integer()),
  source: Nullable(Type.String()),
  saved_at: Nullable(DateTime),
  saved_by: Nullable(Type.String()),
});

export type ScenarioDraft = Static<typeof ScenarioDraft>;

/** `revision` is the one that the change is based on. A `source` of null discards the draft. */
export const ScenarioDraftSave = Type.Object({
  source: Nullable(Type.String({ maxLength: 1_000_000 })),
  version: Integer(1, greatest),
  revision: Integer(0, greatest),
});

export const SavedDraft = Type.Object({ revision: Type.Integer() });

export type SavedDraft = Static<typeof SavedDraft>;

/** 409: another person saved the draft meanwhile. */
export type DraftConflict = { detail: string; draft: ScenarioDraft };

/** `days`: the length of the period up to today, in days of UTC. */
export const NumbersQuery = Type.Object({ days: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,2}$' })) });

/** What has happened at each step: how many runs came, by which way they left, and how many wait there now. */
export const ScenarioNumbers = Type.Object({
  steps: Type.Array(
    Type.Object({
      step: Type.String(),
      came: Type.Integer(),
      left: Type.Array(Type.Object({ way: Type.String(), count: Type.Integer() })),
      waiting: Type.Integer(),
    }),
  ),
});

export type ScenarioNumbers = Static<typeof ScenarioNumbers>;

/** The chats that follow the scenario now. A move is a step and a way out of it; an empty way is the arrival. */
export const ScenarioWalks = Type.Object({
  walks: Type.Array(
    Type.Object({
      chat: Uuid,
      name: Nullable(Type.String()),
      version: Type.Integer(),
      path: Type.Array(Type.Object({ step: Type.String(), way: Type.String() })),
    }),
  ),
});

export type ScenarioWalks = Static<typeof ScenarioWalks>;

/** The others who have the scenario open, and what is saved by now. */
export const ScenarioEditors = Type.Object({
  names: Type.Array(Type.String()),
  version: Type.Integer(),
  revision: Type.Integer(),
});

export type ScenarioEditors = Static<typeof ScenarioEditors>;

export const Scenario = Type.Object({
  ...ListedScenario.properties,
  source: Type.String(),
  draft: ScenarioDraft,
  tests: Type.Array(ScenarioTest),
});

export type Scenario = Static<typeof Scenario>;

const Source = Text();

export const ScenarioCreate = Type.Object({ source: Source });

/** `version` is the one that the change is based on. With a `revision` it publishes the draft of that revision. */
export const ScenarioUpdate = Type.Object({
  source: Source,
  version: Integer(1, greatest),
  revision: Type.Optional(Integer(0, greatest)),
});

export const SavedScenario = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  version: Type.Integer(),
});

export type SavedScenario = Static<typeof SavedScenario>;

/** 409: the scenario was saved meanwhile. `began_from` is null for a version that never existed. */
export type Conflict = {
  detail: string;
  current: ScenarioSource;
  began_from: ScenarioSource | null;
  draft: ScenarioDraft;
};

export const ScenarioTestCreate = Type.Object({ name: Text(255), script: JsonObject });

export const ScenarioCheck = Type.Object({ source: Source });

const NameList = Type.Array(Type.String());
const CalledNames = Type.Object({
  promocode_groups: NameList,
  scenarios: NameList,
  attributes: NameList,
  tags: NameList,
  audiences: NameList,
});

/**
 * Both lists of names are empty while there are problems. `missing` has the objects that the project does not have
 * yet.
 */
export const CheckedScenario = Type.Object({
  complaints: Type.Array(Type.Object({ pointer: Type.String(), message: Type.String() })),
  uses: CalledNames,
  missing: CalledNames,
});

export type CheckedScenario = Static<typeof CheckedScenario>;

export const ScenarioPlay = Type.Object({ source: Source, script: JsonObject });

const Attributes = Object.assign(Type.Unsafe<Facts['profile']['attrs']>({}), {
  type: 'object',
  additionalProperties: true,
});
const AnyEntry = Object.assign(Type.Unsafe<Entry>({}), { type: 'object', additionalProperties: true });

/**
 * The state after a play. `before` is the number of entries before each line. `step` is null at the end. `until` is
 * the time that it waits for.
 */
export const PlayedScenario = Type.Object({
  entries: Type.Array(AnyEntry),
  before: Type.Array(Type.Integer()),
  failures: Type.Array(Type.String()),
  scenario: Type.String(),
  step: Nullable(Type.String()),
  waits_for: Nullable(Choice(['client', 'time', 'answer', 'codes', 'sending'])),
  until: Nullable(DateTime),
  now: DateTime,
  variables: JsonObject,
  attributes: Attributes,
  tags: Type.Array(Type.String()),
});

export type PlayedScenario = Static<typeof PlayedScenario>;
