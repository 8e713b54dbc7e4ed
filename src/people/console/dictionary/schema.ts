import Type, { type Static } from 'typebox';
import { Integer, Nullable, Text, Uuid } from '../../../platform/http/fields.ts';

/** What a definition is called. Names are data and may hold anything: they stand in bodies and queries, not in paths. */
export const Named = Type.Object({ name: Text(255) });

/** Deletes a definition by steps: `after` is the `next` of the step before. */
export const DeletionStep = Type.Object({ name: Text(255), after: Type.Optional(Uuid) });

export const DeletionProgress = Type.Object({ next: Nullable(Uuid) });

export type DeletionProgress = Static<typeof DeletionProgress>;

export const Dictionary = Type.Object({
  results: Type.Array(Type.Object({ name: Type.String(), profiles: Integer(0) })),
  /** Among how many of the newest profiles `profiles` were counted. */
  counted_among: Integer(0),
  /** How many profiles there are. */
  total: Integer(0),
});

export type Dictionary = Static<typeof Dictionary>;

/** What names a tag or an attribute, and will not find it any more. */
export const Uses = Type.Object({
  mailings: Type.Array(Type.String()),
  scenarios: Type.Array(Type.String()),
});

export type Uses = Static<typeof Uses>;
