import { audienceNamedBy } from '../clients/audiences/rules.ts';
import { filtersNamed, type WireFilter } from '../clients/audiences/store.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Scenario } from './schema.ts';

/** The saved audiences that the cases of branches name. */
export const audiencesIn = ({ steps }: Pick<Scenario, 'steps'>): string[] =>
  steps.flatMap((step) =>
    step.type === 'branch' ? step.cases.flatMap(({ when }) => audienceNamedBy(when) ?? []) : [],
  );

/**
 * The scenarios with the present filters of the audiences that they name, so that the engine needs no database. A case
 * with an audience that is not there stays as it is, and matches nobody.
 */
export async function withAudiences<Kept extends Scenario | null>(
  sql: Sql,
  projectId: string,
  scenarios: readonly Kept[],
): Promise<Kept[]> {
  const names = new Set(scenarios.flatMap((scenario) => (scenario ? audiencesIn(scenario) : [])));
  if (names.size === 0) return [...scenarios];
  const filters = await filtersNamed(sql, projectId, [...names]);
  return scenarios.map((scenario) =>
    scenario ? { ...scenario, steps: filled(scenario.steps, filters) } : scenario,
  );
}

const filled = (steps: Scenario['steps'], filters: ReadonlyMap<string, WireFilter>): Scenario['steps'] =>
  steps.map((step) =>
    step.type === 'branch'
      ? {
          ...step,
          cases: step.cases.map((one) => ({
            ...one,
            when: filters.get(audienceNamedBy(one.when) ?? '') ?? one.when,
          })),
        }
      : step,
  );
