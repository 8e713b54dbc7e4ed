import { Alert, Stack, Text, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import type { Webhook } from '../../../../src/people/console/webhooks/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Loading, PageHead } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { NotFoundPage } from '../not-found.tsx';
import { Actions } from './actions.tsx';
import { Log } from './log.tsx';
import { StateBadge, stateColors, stateOf, useStateText, useWebhookName, Waiting } from './state.tsx';
import { webhooks } from './texts.ts';
import { useWebhooks } from './use-webhooks.ts';

export default function WebhookPage() {
  const { webhook: uuid } = useParams({ strict: false });
  const { data, error, refetch } = useWebhooks();
  if (error) return <LoadProblem error={error} onRetry={refetch} />;
  if (!data) return <Loading height={600} />;
  const webhook = data.results.find((one) => one.uuid === uuid);
  return webhook ? <Shown webhook={webhook} /> : <NotFoundPage />;
}

function Shown({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooks);
  const nameOf = useWebhookName();
  const stateText = useStateText(webhook);
  return (
    <>
      <PageHead
        title={nameOf(webhook)}
        lead={<span style={{ overflowWrap: 'anywhere' }}>{webhook.url}</span>}
      >
        <Actions webhook={webhook} />
      </PageHead>
      <Stack gap="xl">
        <Alert color={stateColors[stateOf(webhook)]} variant="light">
          <Stack gap="xs" align="flex-start">
            <StateBadge webhook={webhook} />
            <Text size="sm">{stateText}</Text>
            <Text size="sm">
              {t.waiting}: <Waiting webhook={webhook} /> · {t.events}:{' '}
              {webhook.event_types.join(', ') || t.all} · {t.platforms}:{' '}
              {webhook.platforms.join(', ') || t.all}
            </Text>
          </Stack>
        </Alert>
        <Stack component="section" gap="sm">
          <Title order={2} size="h4">
            {t.log}
          </Title>
          <Text>{t.logLead}</Text>
          <Log webhook={webhook} />
        </Stack>
      </Stack>
    </>
  );
}
