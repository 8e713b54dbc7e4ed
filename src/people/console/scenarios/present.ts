import type { CountRow, WalkRow } from '../../../scenarios/counts-store.ts';
import type { DraftRow } from '../../../scenarios/drafts-store.ts';
import type { TestRow } from '../../../scenarios/tests-store.ts';
import type {
  ListedScenario,
  Scenario,
  ScenarioDraft,
  ScenarioNumbers,
  ScenarioSource,
  ScenarioTest,
  ScenarioVersion,
  ScenarioWalks,
} from './schema.ts';
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
  by_events: row.by_events,
  has_draft: row.has_draft,
});

export const presentScenario = (row: ScenarioRow, draft: DraftRow | null, tests: TestRow[]): Scenario => ({
  ...presentListed(row),
  source: sourceOf(row),
  draft: presentDraft(draft),
  tests: tests.map(presentTest),
});

export const presentDraft = (row: DraftRow | null): ScenarioDraft => ({
  revision: row?.revision ?? 0,
  version: row?.version ?? null,
  source: row?.source ?? null,
  saved_at: row?.saved_at.toISOString() ?? null,
  saved_by: row?.saved_by ?? null,
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

export function presentNumbers(
  counts: readonly CountRow[],
  waiting: readonly { step: string; count: number }[],
): ScenarioNumbers {
  const steps = [...new Set([...counts, ...waiting].map(({ step }) => step))];
  return {
    steps: steps.map((step) => ({
      step,
      came: counts.find((one) => one.step === step && one.way === '')?.count ?? 0,
      left: counts
        .filter((one) => one.step === step && one.way !== '')
        .map(({ way, count }) => ({ way, count })),
      waiting: waiting.find((one) => one.step === step)?.count ?? 0,
    })),
  };
}

export const presentWalk = ({ chat_id, name, version, path }: WalkRow): ScenarioWalks['walks'][number] => ({
  chat: chat_id,
  name,
  version,
  path: path.map((move) => {
    const [step = '', way = ''] = move.split(' ');
    return { step, way };
  }),
});

const sourceOf = ({ source, definition }: { source: string | null; definition: unknown }): string =>
  source ?? JSON.stringify(definition, null, 2);
