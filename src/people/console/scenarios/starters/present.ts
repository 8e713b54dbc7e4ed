import { conflictsIn, wantedOf } from '../../../../scenarios/starters.ts';
import type { StarterRow } from '../../../../scenarios/starters-store.ts';
import type { Rival, Starters } from './schema.ts';

export const presentRival = ({ keyword, scenario, scenario_id }: StarterRow): Rival => ({
  scenario: { id: scenario_id, name: scenario },
  ...wantedOf(keyword),
});

/** The starters of one scenario, each beside its conflicts with the project's others. */
export const presentStarters = (rows: readonly StarterRow[], scenarioId: number): Starters => ({
  starters: rows
    .filter(({ scenario_id }) => scenario_id === scenarioId)
    .map(({ id, keyword, is_enabled }) => ({
      uuid: id,
      ...wantedOf(keyword),
      is_enabled,
      overlapping: conflictsIn(rows, scenarioId, keyword).overlapping.map(presentRival),
    })),
});
