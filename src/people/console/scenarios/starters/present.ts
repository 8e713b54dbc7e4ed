import { conflictsAmong, wantedOf } from '../../../../scenarios/starters.ts';
import type { StarterRow } from '../../../../scenarios/starters-store.ts';
import { takenBy } from '../../consent/scenario-words.ts';
import type { Rival, Starters } from './schema.ts';

function presentTrigger(row: StarterRow) {
  const wanted = wantedOf(row);
  const isById = wanted.kind === 'promocode' || wanted.kind === 'audience';
  return { ...wanted, label: isById ? row.label : wanted.value };
}

export const presentRival = (row: StarterRow): Rival => ({
  scenario: { id: row.scenario_id, name: row.scenario },
  ...presentTrigger(row),
});

/** The starters of one scenario, each beside its conflicts with the project's others, and with its words of consent. */
export function presentStarters(
  rows: readonly StarterRow[],
  scenarioId: number,
  words: readonly string[],
): Starters {
  const conflictsOf = conflictsAmong(rows);
  return {
    starters: rows
      .filter(({ scenario_id }) => scenario_id === scenarioId)
      .map((row) => ({
        uuid: row.id,
        ...presentTrigger(row),
        is_enabled: row.is_enabled,
        overlapping: conflictsOf(scenarioId, row).overlapping.map(presentRival),
        consent_words: takenBy(row, words),
      })),
  };
}
