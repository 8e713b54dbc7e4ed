import { ActionIcon, Group, Paper, Stack, Switch, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Starter, Starters } from '../../../../../src/people/console/scenarios/starters/schema.ts';
import { useAction } from '../../../shared/action.ts';
import { useTexts } from '../../../shared/language.tsx';
import { Loading } from '../../../shared/page-parts.tsx';
import { LoadProblem } from '../../../shared/problem.tsx';
import { useApi, useProjectId } from '../../api.ts';
import { AddStart } from './add-start.tsx';
import { ConsentWords, Rivals } from './rivals.tsx';
import { startTexts } from './texts.ts';

/** What starts the scenario by itself. A change counts at once, without publishing. */
export function Starts({ scenarioId }: { scenarioId: number }) {
  const t = useTexts(startTexts);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const key = [project, 'scenario-starters', scenarioId];
  const path = `scenarios/${scenarioId}/starters/`;
  const starters = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get<Starters>(path, undefined, signal),
  });
  if (starters.isPending) return <Loading height={120} />;
  if (starters.isError) return <LoadProblem error={starters.error} onRetry={starters.refetch} />;
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [project, 'scenario-starters'] }),
      queries.invalidateQueries({ queryKey: [project, 'scenarios'] }),
    ]);
  const list = starters.data.starters;
  return (
    <Stack gap="sm" pt="md">
      <Text size="sm">{list.length === 0 ? t.none : t.api}</Text>
      {list.map((starter) => (
        <StarterCard key={starter.uuid} path={path} starter={starter} onChanged={refresh} />
      ))}
      <AddStart path={path} scenarioId={scenarioId} onAdded={refresh} />
    </Stack>
  );
}

type CardProps = { path: string; starter: Starter; onChanged(): Promise<unknown> };

function StarterCard({ path, starter, onChanged }: CardProps) {
  const t = useTexts(startTexts);
  const api = useApi();
  const { uuid, kind, label, to, is_enabled, overlapping, consent_words } = starter;
  const what = t.told[kind](label, to);
  const enable = useAction(async () => {
    await api.patch(`${path}${uuid}/`, { is_enabled: !is_enabled });
    await onChanged();
  });
  const remove = useAction(async () => {
    await api.delete(`${path}${uuid}/`);
    await onChanged();
  });
  return (
    <Paper withBorder p="xs">
      <Group wrap="nowrap" gap="xs">
        <Switch
          checked={is_enabled}
          disabled={enable.busy}
          onChange={enable.run}
          aria-label={t.enabled(what)}
        />
        <Text flex={1} size="sm" c={is_enabled ? undefined : 'dimmed'} style={{ overflowWrap: 'anywhere' }}>
          {what}
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={remove.busy}
          onClick={remove.run}
          aria-label={t.remove(what)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {is_enabled && overlapping.length > 0 && <Rivals rivals={overlapping} mt="xs" />}
      {is_enabled && <ConsentWords words={consent_words} mt="xs" />}
    </Paper>
  );
}
