import { Button, Group, Stack, Text } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { EventPage, Webhook } from '../../../../src/people/console/webhooks/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Empty, Loading } from '../../shared/page-parts.tsx';
import { pageSize } from '../../shared/pager.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { EventTable } from './event-table.tsx';
import { LogFilters } from './log-filters.tsx';
import { ReplayRange } from './replay-range.tsx';
import { type LogSearch, momentOf, readSearch } from './search.ts';
import { webhooks } from './texts.ts';

/** The events of a webhook, newest first. */
export function Log({ webhook }: { webhook: Webhook }) {
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const search = readSearch(useSearch({ strict: false }));
  const { data, error, refetch } = useQuery({
    queryKey: [project, 'webhooks', webhook.uuid, 'events', search],
    queryFn: ({ signal }) =>
      api.get<EventPage>(
        `webhooks/${webhook.uuid}/events/`,
        { ...search, from: momentOf(search.from), to: momentOf(search.to), limit: pageSize },
        signal,
      ),
    refetchInterval: search.before ? false : 5_000,
    placeholderData: (before) => before,
  });
  const turn = (before: string | undefined) =>
    navigate({
      to: '/$project/webhooks/$webhook/',
      params: { project, webhook: webhook.uuid },
      search: { ...search, before },
    });
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <LogFilters webhook={webhook} search={search} />
        <ReplayRange webhook={webhook} />
      </Group>
      {error && <LoadProblem error={error} onRetry={refetch} />}
      {!data && !error && <Loading />}
      {data && data.results.length > 0 && <EventTable webhook={webhook} events={data.results} />}
      {data && data.results.length === 0 && <Nothing search={search} more={data.next !== null} />}
      {data && (
        <Turn next={data.next} isFirst={!search.before} found={data.results.length > 0} onTurn={turn} />
      )}
    </Stack>
  );
}

function Nothing({ search, more }: { search: LogSearch; more: boolean }) {
  const t = useTexts(webhooks);
  if (more) return <Text>{t.farther}</Text>;
  if (Object.keys(search).length > 0) return <Text>{t.noneFound}</Text>;
  return (
    <Empty icon={<IconWebhook />} title={t.noEvents}>
      <Text>{t.noEventsText}</Text>
    </Empty>
  );
}

type TurnProps = {
  next: string | null;
  isFirst: boolean;
  found: boolean;
  onTurn(before: string | undefined): void;
};

function Turn({ next, isFirst, found, onTurn }: TurnProps) {
  const t = useTexts(webhooks);
  const words = useTexts(common);
  if (isFirst && next === null) return null;
  return (
    <Group gap="xs" justify="flex-end">
      <Button variant="default" size="xs" disabled={isFirst} onClick={() => onTurn(undefined)}>
        {t.newest}
      </Button>
      <Button variant="default" size="xs" disabled={next === null} onClick={() => onTurn(next ?? undefined)}>
        {found ? words.older : t.fartherGo}
      </Button>
    </Group>
  );
}
