import type { Facts } from '../clients/filters/facts.ts';
import type { Work } from '../clients/filters/work.ts';
import type { JsonValue } from '../platform/http/fields.ts';
import type { Scenario } from './schema.ts';
import type { Action, Move, Position, State } from './state.ts';

/** The intermediate result of one advance. Lives only within `advance`. */
export type Walk = {
  readonly scenario: Scenario;
  readonly now: Date;
  readonly isOpening: boolean;
  /** Includes this walk's own changes to the profile. */
  facts: Facts;
  readonly memory: State;
  readonly actions: Action[];
  /** The steps of this walk, in order. */
  readonly trail: Move[];
  /** The remaining budget of this advance. */
  readonly work: Work;
};

/**
 * The next step (null: the end) with the way that leads there, or the final position of the walk. Without a way the
 * step is performed once more.
 */
export type Course = { next: string | null; way: string | null } | Position;

/** The walk goes on as usual. */
export const onward = (walk: Walk, step: { id: string; next?: string }): Course => ({
  next: stepAfter(walk, step),
  way: 'next',
});

/** The successor of a step: its `next`, or the next step in the file. */
export function stepAfter({ scenario: { steps } }: Walk, step: { id: string; next?: string }): string | null {
  return step.next ?? steps[steps.findIndex(({ id }) => id === step.id) + 1]?.id ?? null;
}

/** Stores a value in a variable, in an attribute of the profile, or in both. Null clears. */
export function remember(
  walk: Walk,
  { variable, attribute }: { variable?: string; attribute?: string },
  value: JsonValue,
): void {
  if (variable !== undefined) setVariable(walk.memory, variable, value);
  if (attribute !== undefined) changeProfile(walk, { attributes: { [attribute]: value } });
}

export function setVariable({ variables }: State, name: string, value: JsonValue): void {
  if (value === null) delete variables[name];
  else variables[name] = value;
}

type Change = { attributes?: { [name: string]: JsonValue }; addTags?: string[]; removeTags?: string[] };

/** Adds a profile change to the actions, and applies it to the walk's own facts. */
export function changeProfile(walk: Walk, { attributes = {}, addTags = [], removeTags = [] }: Change): void {
  if (Object.keys(attributes).length + addTags.length + removeTags.length === 0) return;
  walk.actions.push({ type: 'profile', attributes, addTags, removeTags });
  const { profile } = walk.facts;
  const kept = profile.tags.filter((tag) => !removeTags.includes(tag));
  walk.facts = {
    ...walk.facts,
    profile: {
      ...profile,
      attrs: { ...profile.attrs, ...attributes },
      tags: [...new Set([...kept, ...addTags])],
    },
  };
}
