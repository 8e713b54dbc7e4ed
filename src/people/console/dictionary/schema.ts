import Type, { type Static } from 'typebox';
import { Integer, Nullable, Text, Uuid } from '../../../platform/http/fields.ts';

/** The name of a definition. Names may contain anything, and are therefore in bodies and queries, not in paths. */
export const Named = Type.Object({ name: Text(255) });

/** Deletes a definition in steps: `after` is the `next` of the step before. */
export const DeletionStep = Type.Object({ name: Text(255), after: Type.Optional(Uuid) });

export const DeletionProgress = Type.Object({ next: Nullable(Uuid) });

export type DeletionProgress = Static<typeof DeletionProgress>;

export const Dictionary = Type.Object({
  results: Type.Array(Type.Object({ name: Type.String(), profiles: Integer(0) })),
  /** The number of the newest profiles among which `profiles` were counted. */
  counted_among: Integer(0),
  /** The number of all profiles. */
  total: Integer(0),
});

export type Dictionary = Static<typeof Dictionary>;

/** The users of a tag or an attribute, which will no longer find it. */
export const Uses = Type.Object({
  mailings: Type.Array(Type.String()),
  scenarios: Type.Array(Type.String()),
});

export type Uses = Static<typeof Uses>;
