import { Group, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import type { Webhook } from '../../../../src/people/console/webhooks/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Empty, Loading, PageHead } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { ProjectWebhookButton } from './project-webhook.tsx';
import { StateBadge, useWebhookName, Waiting } from './state.tsx';
import { webhooks } from './texts.ts';
import { useWebhooks } from './use-webhooks.ts';

export default function Webhooks() {
  const t = useTexts(webhooks);
  const { data, error, isPending, refetch } = useWebhooks();
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      {isPending && <Loading />}
      {error && <LoadProblem error={error} onRetry={refetch} />}
      {data && <Both all={data.results} />}
    </>
  );
}

function Both({ all }: { all: Webhook[] }) {
  const t = useTexts(webhooks);
  const own = all.filter(({ application }) => application === null);
  const others = all.filter(({ application }) => application !== null);
  return (
    <Stack gap="xl">
      <Paper withBorder p="md">
        <Group justify="space-between" align="flex-start">
          <Stack gap={4} maw={640}>
            <Title order={2} size="h4">
              {t.own}
            </Title>
            <Text>{t.ownLead}</Text>
          </Stack>
          <ProjectWebhookButton webhook={own[0] ?? null} />
        </Group>
        {own.length > 0 && <Rows webhooks={own} />}
      </Paper>
      <Stack gap="sm">
        <Title order={2} size="h4">
          {t.applications}
        </Title>
        {others.length > 0 ? (
          <Rows webhooks={others} />
        ) : (
          <Empty icon={<IconWebhook />} title={t.noApplications}>
            <Text>{t.noApplicationsText}</Text>
          </Empty>
        )}
      </Stack>
    </Stack>
  );
}

function Rows({ webhooks: rows }: { webhooks: Webhook[] }) {
  const project = useProjectId();
  const t = useTexts(webhooks);
  const words = useTexts(common);
  const nameOf = useWebhookName();
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.name}</Table.Th>
            <Table.Th>{t.address}</Table.Th>
            <Table.Th>{words.state}</Table.Th>
            <Table.Th>{t.events}</Table.Th>
            <Table.Th>{t.waiting}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((webhook) => (
            <Table.Tr key={webhook.uuid}>
              <Table.Td>
                <TextLink
                  to="/$project/webhooks/$webhook/"
                  params={{ project, webhook: webhook.uuid }}
                  fw={600}
                >
                  {nameOf(webhook)}
                </TextLink>
              </Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{webhook.url}</Table.Td>
              <Table.Td>
                <StateBadge webhook={webhook} />
              </Table.Td>
              <Table.Td>{webhook.event_types.join(', ') || t.all}</Table.Td>
              <Table.Td>
                <Waiting webhook={webhook} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
