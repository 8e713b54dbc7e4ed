import { conflictsIn, wantedOf } from '../../../../scenarios/starters.ts';
import type { StarterRow } from '../../../../scenarios/starters-store.ts';
import type { Rival, Starters } from './schema.ts';

function presentTrigger(row: StarterRow) {
  const wanted = wantedOf(row);
  return { ...wanted, label: wanted.kind === 'promocode' ? row.label : wanted.value };
}

export const presentRival = (row: StarterRow): Rival => ({
  scenario: { id: row.scenario_id, name: row.scenario },
  ...presentTrigger(row),
});

/** The starters of one scenario, each beside its conflicts with the project's others. */
export const presentStarters = (rows: readonly StarterRow[], scenarioId: number): Starters => ({
  starters: rows
    .filter(({ scenario_id }) => scenario_id === scenarioId)
    .map((row) => ({
      uuid: row.id,
      ...presentTrigger(row),
      is_enabled: row.is_enabled,
      overlapping: conflictsIn(rows, scenarioId, row).overlapping.map(presentRival),
    })),
});
