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

/** Who has saved a version, and when; nobody's name where it came from the command line. */
const Saved = { saved_at: DateTime, saved_by: Nullable(Type.String()) };

/** `running` counts no further than 1,000. */
const Use = {
  running: Type.Integer(),
  welcome: Type.Boolean(),
  keywords: Type.Array(Type.String()),
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

/** `source` is the JSON text as it was written. */
export const ScenarioSource = Type.Object({ ...ScenarioVersion.properties, source: Type.String() });

export type ScenarioSource = Static<typeof ScenarioSource>;

export const ScenarioTest = Type.Object({ uuid: Uuid, name: Type.String(), script: JsonObject });

export type ScenarioTest = Static<typeof ScenarioTest>;

export const Scenario = Type.Object({
  ...ListedScenario.properties,
  source: Type.String(),
  tests: Type.Array(ScenarioTest),
});

export type Scenario = Static<typeof Scenario>;

const Source = Text();

export const ScenarioCreate = Type.Object({ source: Source });

/** Of a column of whole numbers. */
const greatest = 2_147_483_647;

/** `version` is the one that the change began from. */
export const ScenarioUpdate = Type.Object({ source: Source, version: Integer(1, greatest) });

export const SavedScenario = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  version: Type.Integer(),
});

export type SavedScenario = Static<typeof SavedScenario>;

/** 409: somebody has saved the scenario since. `began_from` is null for a version that there never was. */
export type Conflict = { detail: string; current: ScenarioSource; began_from: ScenarioSource | null };

export const ScenarioTestCreate = Type.Object({ name: Text(255), script: JsonObject });

export const ScenarioCheck = Type.Object({ source: Source });

const NameList = Type.Array(Type.String());
const CalledNames = Type.Object({
  promocode_groups: NameList,
  scenarios: NameList,
  attributes: NameList,
  tags: NameList,
});

/** Both lists of names are empty while something is wrong. `missing` is what the project does not have yet. */
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
 * Where a play has led. `before` is how many entries there were before each line; `step` is null where it is over;
 * `until` is a moment that is waited for.
 */
export const PlayedScenario = Type.Object({
  entries: Type.Array(AnyEntry),
  before: Type.Array(Type.Integer()),
  failures: Type.Array(Type.String()),
  scenario: Type.String(),
  step: Nullable(Type.String()),
  waits_for: Nullable(Choice(['client', 'time', 'answer', 'codes'])),
  until: Nullable(DateTime),
  now: DateTime,
  variables: JsonObject,
  attributes: Attributes,
  tags: Type.Array(Type.String()),
});

export type PlayedScenario = Static<typeof PlayedScenario>;
