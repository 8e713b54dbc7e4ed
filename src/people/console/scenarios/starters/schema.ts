import Type, { type Static } from 'typebox';
import { Choice, Uuid } from '../../../../platform/http/fields.ts';
import { starterKinds } from '../../../../scenarios/starter-kinds.ts';
import { ScenarioParams } from '../schema.ts';

export const StarterParams = Type.Object({ ...ScenarioParams.properties, starter: Uuid });

const Kind = Choice(starterKinds);

/** What starts a scenario: `Wanted` explains the fields. */
export const StarterAdd = Type.Object({
  kind: Kind,
  value: Type.String({ maxLength: 255 }),
  to: Type.Optional(Type.String({ maxLength: 255 })),
});

/** `label` is the value for people: of a group of promo codes its name. */
const Told = { kind: Kind, value: Type.String(), to: Type.String(), label: Type.String() };

/** Another scenario that the same message may start. */
const Rival = Type.Object({
  scenario: Type.Object({ id: Type.Integer(), name: Type.String() }),
  ...Told,
});

export type Rival = Static<typeof Rival>;

const Starter = Type.Object({
  uuid: Uuid,
  ...Told,
  is_enabled: Type.Boolean(),
  overlapping: Type.Array(Rival),
  /** The words of consent among its messages. Who leaves or comes back by one does not start the scenario. */
  consent_words: Type.Array(Type.String()),
});

export type Starter = Static<typeof Starter>;

export const Starters = Type.Object({ starters: Type.Array(Starter) });

export type Starters = Static<typeof Starters>;

export const AddedStarter = Type.Object({ uuid: Uuid });

/** `taken`: the scenario that starts so already. */
export const StarterConflicts = Type.Object({
  taken: Type.Array(Rival),
  overlapping: Type.Array(Rival),
  consent_words: Type.Array(Type.String()),
});

export type StarterConflicts = Static<typeof StarterConflicts>;

export const StarterPatch = Type.Object({ is_enabled: Type.Boolean() });
