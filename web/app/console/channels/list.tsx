import { BarChart } from '@mantine/charts';
import { Box, Group, Skeleton, Table, Text } from '@mantine/core';
import { IconMessagePlus, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Channel, ChannelList } from '../../../../src/people/console/channels/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Empty, Loading, PageHead } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { ButtonLink, TextLink } from '../links.tsx';
import { platformName } from './platform.ts';
import { Pace, StateBadge, Waiting } from './state.tsx';
import { channels } from './texts.ts';
import { completeMinute, outcomes, totals, useDeliveries } from './use-deliveries.ts';
import { FirstWarning } from './warnings.tsx';
import '@mantine/charts/styles.css';

export default function Channels() {
  const t = useTexts(channels);
  const project = useProjectId();
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        <ButtonLink
          to="/$project/channels/new/"
          params={{ project }}
          leftSection={<IconPlus size={18} aria-hidden />}
        >
          {t.add}
        </ButtonLink>
      </PageHead>
      <List />
    </>
  );
}

function List() {
  const api = useApi();
  const project = useProjectId();
  const t = useTexts(channels);
  const words = useTexts(common);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [project, 'channels'],
    queryFn: ({ signal }) => api.get<ChannelList>('channels/', {}, signal),
    refetchInterval: 10_000,
  });
  if (isPending) return <Loading />;
  if (error) return <LoadProblem error={error} onRetry={refetch} />;
  if (data.results.length === 0) {
    return (
      <Empty icon={<IconMessagePlus />} title={t.none}>
        <Text>{t.noneText}</Text>
        <ButtonLink to="/$project/channels/new/" params={{ project }}>
          {t.add}
        </ButtonLink>
      </Empty>
    );
  }
  return (
    <Table.ScrollContainer minWidth={820}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{words.name}</Table.Th>
            <Table.Th>{words.state}</Table.Th>
            <Table.Th>{t.pace}</Table.Th>
            <Table.Th>{t.waiting}</Table.Th>
            <Table.Th>{t.lastDay}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.results.map((channel) => (
            <Row key={channel.uuid} channel={channel} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ channel }: { channel: Channel }) {
  const project = useProjectId();
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink to="/$project/channels/$channel/" params={{ project, channel: channel.uuid }} fw={600}>
          {channel.name}
        </TextLink>
        <Text size="sm" c="dimmed">
          {platformName(channel.platform)}
        </Text>
      </Table.Td>
      <Table.Td>
        <StateBadge channel={channel} />
        {channel.state_detail && <Text size="sm">{channel.state_detail}</Text>}
        <FirstWarning channel={channel} />
      </Table.Td>
      <Table.Td>
        <Pace channel={channel} />
      </Table.Td>
      <Table.Td>
        <Waiting channel={channel} />
      </Table.Td>
      <Table.Td>
        <LastDay uuid={channel.uuid} />
      </Table.Td>
    </Table.Tr>
  );
}

function LastDay({ uuid }: { uuid: string }) {
  const t = useTexts(channels);
  const { number, time } = useFormat();
  const { data } = useDeliveries(uuid);
  if (!data) return <Skeleton height={32} width={280} />;
  const { sent, failed } = totals(data.hours);
  return (
    <Group wrap="nowrap" h={32} gap="sm">
      <Box aria-hidden w={110} flex="none">
        <BarChart
          h={32}
          type="stacked"
          data={outcomes(data.hours)}
          dataKey="at"
          series={[
            { name: 'received', color: 'teal.7' },
            { name: 'sent', color: 'gray.5' },
            { name: 'failed', color: 'orange.6' },
          ]}
          withXAxis={false}
          withYAxis={false}
          withTooltip={false}
          gridAxis="none"
          barChartProps={{ accessibilityLayer: false }}
        />
      </Box>
      <Text size="sm" fw={failed > 0 ? 600 : undefined}>
        {t.sentShort(number(sent), number(failed))}
        {data.is_cut && (
          <Text span size="sm" c="dimmed" display="block">
            {t.cutShort(time(completeMinute(data)))}
          </Text>
        )}
      </Text>
    </Group>
  );
}
