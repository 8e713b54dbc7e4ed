import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconRepeat } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { EventDetails } from '../../../../src/people/console/webhooks/schema.ts';
import { useAction } from '../../shared/action.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { CopyText, Loading, PageHead } from '../../shared/page-parts.tsx';
import { LoadProblem, useShowDone } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { ButtonLink } from '../links.tsx';
import { CallResult } from './call-result.tsx';
import { EventState } from './event-table.tsx';
import { webhooks } from './texts.ts';

export default function EventPage() {
  const api = useApi();
  const project = useProjectId();
  const { webhook = '', event = '' } = useParams({ strict: false });
  const path = `webhooks/${webhook}/events/${event}/`;
  const { data, error, refetch } = useQuery({
    queryKey: [project, 'webhooks', webhook, 'event', event],
    queryFn: ({ signal }) => api.get<EventDetails>(path, {}, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'PENDING' ? 1_000 : 10_000),
  });
  if (error) return <LoadProblem error={error} onRetry={refetch} />;
  if (!data) return <Loading height={600} />;
  return <Shown event={data} path={path} webhook={webhook} />;
}

function Shown({ event, path, webhook }: { event: EventDetails; path: string; webhook: string }) {
  const project = useProjectId();
  const t = useTexts(webhooks);
  const { moment } = useFormat();
  const title = `${event.event_type} · ${event.chat.name ?? t.nobody}`;
  return (
    <>
      <PageHead title={title} lead={moment(event.created_at)}>
        <ButtonLink
          to="/$project/webhooks/$webhook/"
          params={{ project, webhook }}
          variant="default"
          leftSection={<IconArrowLeft size={18} aria-hidden />}
        >
          {t.toLog}
        </ButtonLink>
        <Replay path={path} />
      </PageHead>
      <Stack gap="xl">
        <Group gap="sm">
          <EventState state={event.state} />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t.eventId}: {event.uuid}
          </Text>
          <CopyText value={event.uuid} />
        </Group>
        <Stack component="section" gap="sm">
          <Title order={2} size="h4">
            {t.attempts}
          </Title>
          {event.attempts.length === 0 && <Text>{t.noAttempts}</Text>}
          {event.attempts.map((attempt) => (
            <Paper key={attempt.uuid} withBorder p="sm">
              <Text size="sm" fw={600} mb={4}>
                {moment(attempt.started_at)}
              </Text>
              <CallResult call={attempt} at={moment(attempt.started_at)} />
            </Paper>
          ))}
        </Stack>
        <Stack component="section" gap="sm">
          <Group justify="space-between">
            <Title order={2} size="h4">
              {t.body}
            </Title>
            <CopyText value={event.body} />
          </Group>
          <Text size="sm">{t.headers}</Text>
          <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {indented(event.body)}
          </Code>
        </Stack>
      </Stack>
    </>
  );
}

const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);

function Replay({ path }: { path: string }) {
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const showDone = useShowDone();
  const t = useTexts(webhooks);
  const { busy, run } = useAction(async () => {
    await api.post(`${path}replay/`);
    showDone(t.replayed);
    await queries.invalidateQueries({ queryKey: [project, 'webhooks'] });
  });

  return (
    <Button loading={busy} onClick={run} leftSection={<IconRepeat size={18} aria-hidden />}>
      {t.replay}
    </Button>
  );
}
