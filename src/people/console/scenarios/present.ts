import type { TestRow } from '../../../scenarios/tests-store.ts';
import type { ListedScenario, Scenario, ScenarioSource, ScenarioTest, ScenarioVersion } from './schema.ts';
import type { ListedRow, ScenarioRow } from './store.ts';
import type { SourceRow, VersionRow } from './versions-store.ts';

export const presentListed = (row: ListedRow): ListedScenario => ({
  id: row.id,
  name: row.name,
  version: row.version,
  saved_at: row.saved_at.toISOString(),
  saved_by: row.saved_by,
  running: row.running,
  welcome: row.keywords.includes(''),
  keywords: row.keywords.filter((keyword) => keyword !== ''),
});

export const presentScenario = (row: ScenarioRow, tests: TestRow[]): Scenario => ({
  ...presentListed(row),
  source: sourceOf(row),
  tests: tests.map(presentTest),
});

export const presentVersion = ({ version, saved_at, saved_by }: VersionRow): ScenarioVersion => ({
  version,
  saved_at: saved_at.toISOString(),
  saved_by,
});

export const presentSource = (row: SourceRow): ScenarioSource => ({
  ...presentVersion(row),
  source: sourceOf(row),
});

export const presentTest = ({ id, name, script }: TestRow): ScenarioTest => ({ uuid: id, name, script });

const sourceOf = ({ source, definition }: { source: string | null; definition: unknown }): string =>
  source ?? JSON.stringify(definition, null, 2);
