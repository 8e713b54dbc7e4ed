import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PlayedScenario } from '../../../../src/people/console/scenarios/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { KeepTest } from './keep-test.tsx';
import { Known } from './known.tsx';
import { RunnerInput } from './runner-input.tsx';
import { RunnerSetup } from './runner-setup.tsx';
import { runnerTexts } from './runner-texts.ts';
import { asTest, firstSetup, type Line, withCodes } from './script.ts';
import { Transcript } from './transcript.tsx';

type Props = {
  scenarioId: string;
  source: string;
  /** Whether the text can run. */
  isRight: boolean;
  /** The promo code groups. Each gets sample codes, so that the scenario can run. */
  groups: readonly string[];
  name: string;
  onStep(step: string | null): void;
};

/** A conversation with the edited scenario. Every change of the text replays it from the start. */
export function Runner({ scenarioId, source, isRight, groups, name, onStep }: Props) {
  const t = useTexts(runnerTexts);
  const [setup, setSetup] = useState(firstSetup);
  const [lines, setLines] = useState<readonly Line[]>([]);
  const start = withCodes(setup, groups);
  const play = usePlay(source, { ...start, lines }, isRight);
  const played = play.data;
  const isHere = played?.scenario === name;
  const step = played && isRight ? played.step : null;
  useEffect(() => onStep(isHere ? step : null), [isHere, step, onStep]);

  return (
    <Stack pt="md" gap="sm">
      <Text size="sm" c="dimmed">
        {t.lead}
      </Text>
      <RunnerSetup setup={setup} onChange={setSetup} />
      <BackButtons lines={lines} onChange={setLines} />
      {!isRight && <Alert variant="light">{t.correctFirst}</Alert>}
      {isRight && play.isPending && <Loading height={160} />}
      {isRight && play.isError && <LoadProblem error={play.error} onRetry={play.refetch} />}
      {played && (
        <>
          <Transcript
            entries={played.entries}
            canPress={isRight && played.waits_for === 'client'}
            onPress={(button) => setLines([...lines, { press: button }])}
          />
          {step !== null && <Text size="sm">{isHere ? t.inStep(step) : t.elsewhere(played.scenario)}</Text>}
          <RunnerInput
            played={played}
            isReady={isRight && !play.isPlaceholderData}
            onLine={(line) => setLines([...lines, line])}
          />
          <Known played={played} />
          <KeepTest scenarioId={scenarioId} script={() => asTest(start, lines, played)} />
        </>
      )}
    </Stack>
  );
}

function usePlay(source: string, script: object, isRight: boolean) {
  const api = useApi();
  const project = useProjectId();
  return useQuery({
    queryKey: [project, 'scenario-play', source, script],
    queryFn: () => api.post<PlayedScenario>('scenarios/play/', { source, script }),
    enabled: isRight,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  });
}

function BackButtons({
  lines,
  onChange,
}: {
  lines: readonly Line[];
  onChange(lines: readonly Line[]): void;
}) {
  const t = useTexts(runnerTexts);
  return (
    <Group gap="xs">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconRefresh size={14} aria-hidden />}
        disabled={lines.length === 0}
        onClick={() => onChange([])}
      >
        {t.restart}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconArrowBackUp size={14} aria-hidden />}
        disabled={lines.length === 0}
        onClick={() => onChange(lines.slice(0, -1))}
      >
        {t.back}
      </Button>
    </Group>
  );
}
