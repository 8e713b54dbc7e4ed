import { Button, Group, Select, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type {
  SavedScenario,
  Scenario,
  ScenarioSource,
  ScenarioVersion,
} from '../../../../src/people/console/scenarios/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Loading, PageHead } from '../../shared/page-parts.tsx';
import { type Page, Pager, pageSize } from '../../shared/pager.tsx';
import { LoadProblem, useShowDone } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { ButtonLink } from '../links.tsx';
import { DiffView } from './diff-view.tsx';
import { versionTexts } from './version-texts.ts';

const DrawnDiff = lazy(() => import('./canvas/drawn-diff.tsx'));

/** `/console/<project>/scenarios/<scenario>/versions/` */
export default function Versions() {
  const { scenario: id = '' } = useParams({ strict: false });
  const t = useTexts(versionTexts);
  const api = useApi();
  const project = useProjectId();
  const [offset, setOffset] = useState(0);
  const [chosen, setChosen] = useState<number | null>(null);
  const scenario = useQuery({
    queryKey: [project, 'scenarios', 'one', id],
    queryFn: ({ signal }) => api.get<Scenario>(`scenarios/${id}/`, undefined, signal),
  });
  const versions = useQuery({
    queryKey: [project, 'scenarios', 'versions', id, offset],
    queryFn: ({ signal }) =>
      api.get<Page<ScenarioVersion>>(`scenarios/${id}/versions/`, { limit: pageSize, offset }, signal),
  });
  const failed = [scenario, versions].find(({ isError }) => isError);
  if (failed) return <LoadProblem error={failed.error} onRetry={failed.refetch} />;
  if (!scenario.data || !versions.data) return <Loading height={600} />;
  return (
    <>
      <PageHead title={t.title(scenario.data.name)} lead={t.lead}>
        <ButtonLink to="/$project/scenarios/$scenario/" params={{ project, scenario: id }} variant="default">
          {t.toEditor}
        </ButtonLink>
      </PageHead>
      <VersionTable
        versions={versions.data.results}
        current={scenario.data.version}
        chosen={chosen}
        onChoose={setChosen}
      />
      <Pager count={versions.data.count} offset={offset} onMove={setOffset} />
      {chosen !== null && <Comparison key={chosen} scenario={scenario.data} version={chosen} />}
    </>
  );
}

type TableProps = {
  versions: ScenarioVersion[];
  current: number;
  chosen: number | null;
  onChoose(version: number): void;
};

function VersionTable({ versions, current, chosen, onChoose }: TableProps) {
  const t = useTexts(versionTexts);
  const format = useFormat();
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.version}</Table.Th>
            <Table.Th>{t.saved}</Table.Th>
            <Table.Th>{t.by}</Table.Th>
            <Table.Th>{t.look}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {versions.map(({ version, saved_at, saved_by }) => (
            <Table.Tr key={version}>
              <Table.Th scope="row">
                {version === current ? t.current(format.number(version)) : format.number(version)}
              </Table.Th>
              <Table.Td>{format.moment(saved_at)}</Table.Td>
              <Table.Td>{saved_by ?? t.commandLine}</Table.Td>
              <Table.Td>
                <Button
                  size="compact-sm"
                  variant={version === chosen ? 'filled' : 'default'}
                  aria-pressed={version === chosen}
                  aria-label={t.compareVersion(format.number(version))}
                  onClick={() => onChoose(version)}
                >
                  {t.compare}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Compares a version with another one, by default the current one. */
function Comparison({ scenario, version }: { scenario: Scenario; version: number }) {
  const t = useTexts(versionTexts);
  const format = useFormat();
  const [other, setOther] = useState(
    version === scenario.version ? Math.max(1, version - 1) : scenario.version,
  );
  const left = useVersion(scenario.id, Math.min(version, other));
  const right = useVersion(scenario.id, Math.max(version, other));
  const restore = useRestore(scenario);
  const choices = Array.from({ length: scenario.version }, (_, index) => scenario.version - index);
  const failed = [left, right].find(({ isError }) => isError);
  const titleOf = ({ version: number, saved_by }: ScenarioSource) =>
    t.savedBy(format.number(number), saved_by ?? t.commandLine);
  return (
    <Stack mt="xl">
      <Title order={2} size="h3">
        {t.comparison(format.number(version))}
      </Title>
      <Group align="flex-end">
        <Select
          label={t.with}
          data={choices.map((number) => ({ value: String(number), label: format.number(number) }))}
          value={String(other)}
          onChange={(value) => value !== null && setOther(Number(value))}
          allowDeselect={false}
          searchable
          w={220}
        />
        {version !== scenario.version && (
          <ConfirmButton
            label={t.restore(format.number(version))}
            title={t.restoreTitle(format.number(version))}
            color="teal"
            onConfirm={() => restore(version)}
          >
            {t.restoreText(format.number(scenario.version + 1))}
          </ConfirmButton>
        )}
      </Group>
      {failed && <LoadProblem error={failed.error} onRetry={failed.refetch} />}
      {left.data && right.data && version !== other && (
        <Suspense fallback={<Loading />}>
          <DrawnDiff before={left.data.source} after={right.data.source} />
        </Suspense>
      )}
      {left.data && right.data && version !== other && (
        <DiffView
          left={{ title: titleOf(left.data), source: left.data.source }}
          right={{ title: titleOf(right.data), source: right.data.source }}
        />
      )}
      {version === other && <Text>{t.itself}</Text>}
    </Stack>
  );
}

function useVersion(scenarioId: number, version: number) {
  const api = useApi();
  const project = useProjectId();
  return useQuery({
    queryKey: [project, 'scenario-version', scenarioId, version],
    queryFn: () => api.get<ScenarioSource>(`scenarios/${scenarioId}/versions/${version}/`),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Saves an old version again as the newest one, and opens it. */
function useRestore(scenario: Scenario) {
  const t = useTexts(versionTexts);
  const showDone = useShowDone();
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async (version: number) => {
    const path = `scenarios/${scenario.id}/`;
    const { source } = await api.get<ScenarioSource>(`${path}versions/${version}/`);
    await api.put<SavedScenario>(path, { source, version: scenario.version });
    await queries.invalidateQueries({ queryKey: [project, 'scenarios'] });
    showDone(t.restored);
    await navigate({
      to: '/$project/scenarios/$scenario/',
      params: { project, scenario: String(scenario.id) },
    });
  };
}
