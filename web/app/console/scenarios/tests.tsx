import { Accordion, Group, List, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import type {
  PlayedScenario,
  Scenario,
  ScenarioTest,
} from '../../../../src/people/console/scenarios/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { useProblemText } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { TestForm } from './test-form.tsx';
import { testTexts } from './test-texts.ts';

type Outcome = { data?: PlayedScenario; error: unknown };

/** The scenario's tests, each run with the text in the editor. */
export function Tests({
  scenario: { id, tests },
  source,
  isRight,
}: {
  scenario: Scenario;
  source: string;
  isRight: boolean;
}) {
  const t = useTexts(testTexts);
  const { number } = useFormat();
  const api = useApi();
  const project = useProjectId();
  const outcomes = useQueries({
    queries: tests.map(({ script }) => ({
      queryKey: [project, 'scenario-play', source, script],
      queryFn: () => api.post<PlayedScenario>('scenarios/play/', { source, script }),
      enabled: isRight,
      staleTime: 60_000,
      retry: false,
    })),
  });
  if (tests.length === 0) return <Text pt="md">{t.none}</Text>;
  const passed = outcomes.filter(({ data }) => data?.failures.length === 0).length;
  return (
    <Stack pt="md" gap="sm">
      <Text size="sm" c="dimmed">
        {t.lead}
      </Text>
      <Text fw={600} role="status">
        {t.summary(number(passed), number(tests.length))}
      </Text>
      <Accordion variant="separated" order={2}>
        {tests.map((test, index) => (
          <TestItem key={test.uuid} scenarioId={id} test={test} outcome={outcomes[index]} isRight={isRight} />
        ))}
      </Accordion>
    </Stack>
  );
}

type ItemProps = { scenarioId: number; test: ScenarioTest; outcome?: Outcome; isRight: boolean };

function TestItem({ scenarioId, test, outcome, isRight }: ItemProps) {
  const t = useTexts(testTexts);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  async function remove() {
    await api.delete(`scenarios/${scenarioId}/tests/${test.uuid}/`);
    await queries.invalidateQueries({ queryKey: [project, 'scenarios', 'one', String(scenarioId)] });
  }
  return (
    <Accordion.Item value={test.uuid}>
      <Accordion.Control icon={<Sign outcome={outcome} isRight={isRight} />}>
        <Group justify="space-between" gap="xs">
          <span>{test.name}</span>
          <Verdict outcome={outcome} isRight={isRight} />
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">
          <Failures outcome={outcome} />
          <TestForm scenarioId={scenarioId} test={test} />
          <Group>
            <ConfirmButton label={t.delete} title={t.deleteTitle(test.name)} onConfirm={remove} size="xs">
              {t.deleteText}
            </ConfirmButton>
          </Group>
        </Stack>
      </Accordion.Panel>
    </Accordion.Item>
  );
}

type Seen = { outcome?: Outcome; isRight: boolean };

function Sign({ outcome, isRight }: Seen) {
  if (!isRight || outcome?.error) return <IconAlertTriangle size={20} aria-hidden />;
  if (!outcome?.data) return <Loader size={20} aria-hidden />;
  return outcome.data.failures.length === 0 ? (
    <IconCircleCheck size={20} color="var(--mantine-color-teal-filled)" aria-hidden />
  ) : (
    <IconCircleX size={20} color="var(--mantine-color-red-filled)" aria-hidden />
  );
}

function Verdict({ outcome, isRight }: Seen) {
  const t = useTexts(testTexts);
  const word = () => {
    if (!isRight || outcome?.error) return t.cannot;
    if (!outcome?.data) return t.running;
    return outcome.data.failures.length === 0 ? t.passes : t.fails;
  };
  return (
    <Text size="sm" pe="xs">
      {word()}
    </Text>
  );
}

function Failures({ outcome }: { outcome?: Outcome }) {
  const textOf = useProblemText();
  if (outcome?.error) return <Text size="sm">{textOf(outcome.error)}</Text>;
  const failures = outcome?.data?.failures ?? [];
  if (failures.length === 0) return null;
  return (
    <List size="sm">
      {failures.map((failure) => (
        <List.Item key={failure} style={{ overflowWrap: 'anywhere' }}>
          {failure}
        </List.Item>
      ))}
    </List>
  );
}
