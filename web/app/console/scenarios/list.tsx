import { Badge, Group, Stack, Table, Text } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ListedScenario } from '../../../../src/people/console/scenarios/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Empty, Loading, PageHead } from '../../shared/page-parts.tsx';
import { type Page, Pager, pageSize } from '../../shared/pager.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { ButtonLink, TextLink } from '../links.tsx';
import { listTexts } from './texts.ts';

/** `/console/<project>/scenarios/` */
export default function Scenarios() {
  const t = useTexts(listTexts);
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const { offset = 0 } = useSearch({ strict: false });
  const scenarios = useQuery({
    queryKey: [project, 'scenarios', offset],
    queryFn: ({ signal }) => api.get<Page<ListedScenario>>('scenarios/', { limit: pageSize, offset }, signal),
  });
  const create = (
    <ButtonLink to="/$project/scenarios/new/" params={{ project }}>
      {t.create}
    </ButtonLink>
  );
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        {create}
      </PageHead>
      {scenarios.isPending && <Loading />}
      {scenarios.isError && <LoadProblem error={scenarios.error} onRetry={scenarios.refetch} />}
      {scenarios.data?.count === 0 && (
        <Empty icon={<IconRoute />} title={t.none}>
          <Text>{t.noneHint}</Text>
          {create}
        </Empty>
      )}
      {scenarios.data && scenarios.data.count > 0 && (
        <>
          <ScenarioTable scenarios={scenarios.data.results} />
          <Pager
            count={scenarios.data.count}
            offset={offset}
            onMove={(to) =>
              navigate({ to: '/$project/scenarios/', params: { project }, search: { offset: to } })
            }
          />
        </>
      )}
    </>
  );
}

function ScenarioTable({ scenarios }: { scenarios: ListedScenario[] }) {
  const t = useTexts(listTexts);
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.scenario}</Table.Th>
            <Table.Th>{t.version}</Table.Th>
            <Table.Th>{t.saved}</Table.Th>
            <Table.Th>{t.startedBy}</Table.Th>
            <Table.Th ta="right">{t.running}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {scenarios.map((scenario) => (
            <ScenarioRow key={scenario.id} scenario={scenario} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function ScenarioRow({ scenario }: { scenario: ListedScenario }) {
  const t = useTexts(listTexts);
  const format = useFormat();
  const project = useProjectId();
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <TextLink
          inherit
          to="/$project/scenarios/$scenario/"
          params={{ project, scenario: String(scenario.id) }}
        >
          {scenario.name}
        </TextLink>
        {scenario.has_draft && (
          <Badge variant="outline" tt="none" ml="xs">
            {t.draft}
          </Badge>
        )}
      </Table.Th>
      <Table.Td>
        <TextLink
          inherit
          to="/$project/scenarios/$scenario/versions/"
          params={{ project, scenario: String(scenario.id) }}
        >
          {t.versionNumber(format.number(scenario.version))}
        </TextLink>
      </Table.Td>
      <Table.Td>
        <Stack gap={0}>
          <span title={format.moment(scenario.saved_at)}>{format.ago(scenario.saved_at)}</span>
          <Text size="sm" c="dimmed">
            {scenario.saved_by ?? t.commandLine}
          </Text>
        </Stack>
      </Table.Td>
      <Table.Td>
        <StartedBy scenario={scenario} />
      </Table.Td>
      <Table.Td ta="right">
        {scenario.running >= mostCounted ? t.thousand : format.number(scenario.running)}
      </Table.Td>
    </Table.Tr>
  );
}

/** The server counts only up to this. */
const mostCounted = 1_000;

function StartedBy({ scenario: { welcome, keywords, by_events } }: { scenario: ListedScenario }) {
  const t = useTexts(listTexts);
  if (!welcome && !by_events && keywords.length === 0) return <Text size="sm">{t.calledOnly}</Text>;
  return (
    <Group gap={4}>
      {welcome && (
        <Badge variant="outline" tt="none">
          {t.welcome}
        </Badge>
      )}
      {by_events && (
        <Badge variant="outline" tt="none">
          {t.events}
        </Badge>
      )}
      {keywords.map((keyword) => (
        <Badge key={keyword} variant="default" tt="none">
          {t.keyword(keyword)}
        </Badge>
      ))}
    </Group>
  );
}
