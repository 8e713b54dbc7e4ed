import type { Facts } from '../clients/filters/facts.ts';
import type { Work } from '../clients/filters/work.ts';
import type { JsonValue } from '../platform/http/fields.ts';
import type { Scenario } from './schema.ts';
import type { Action, Position, State } from './state.ts';

/** One advance under way: what it has come to so far. Lives within `advance` and nowhere else. */
export type Walk = {
  readonly scenario: Scenario;
  readonly now: Date;
  /** With what this very walk has changed in the profile. */
  facts: Facts;
  readonly memory: State;
  readonly actions: Action[];
  /** What this advance may still cost. */
  readonly work: Work;
};

/** On to a step (null: the end), or where the walk is over. */
export type Course = { next: string | null } | Position;

/** Where a step leads that names no other: its `next`, or the step that follows in the file. */
export function stepAfter({ scenario: { steps } }: Walk, step: { id: string; next?: string }): string | null {
  return step.next ?? steps[steps.findIndex(({ id }) => id === step.id) + 1]?.id ?? null;
}

/** Keeps a value in a variable, in an attribute of the profile, or in both. Null clears. */
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

/** Tells to change the profile, and goes on as if it had been done. */
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
