import { SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import type { MailingDetail } from '../../../../../src/people/console/mailings/schema.ts';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import { Empty } from '../../../shared/page-parts.tsx';
import { MailingFunnel } from './funnel.tsx';
import { oneTexts } from './texts.ts';
import { MailingTimeline } from './timeline.tsx';
import '@mantine/charts/styles.css';

export default function MailingResults({ detail }: { detail: MailingDetail }) {
  const t = useTexts(oneTexts);
  if (detail.summary.counts.planned === 0) {
    return (
      <Empty icon={<IconChartBar size={28} />} title={t.noResults}>
        <Text c="dimmed">{t.noResultsHelp}</Text>
      </Empty>
    );
  }
  return (
    <Stack gap="xl">
      <MailingFunnel detail={detail} />
      <MailingTimeline summary={detail.summary} />
      <ByPlatform detail={detail} />
    </Stack>
  );
}

function ByPlatform({ detail: { mailing } }: { detail: MailingDetail }) {
  const t = useTexts(oneTexts);
  const { number } = useFormat();
  const rows = Object.entries(mailing.statistics.count_platforms).sort(([, one], [, other]) => other - one);
  if (rows.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {t.platforms}
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.platform}</Table.Th>
              <Table.Th ta="right">{t.sum}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(([platform, count]) => (
              <Table.Tr key={platform}>
                <Table.Td>{platform.replaceAll('_', ' ')}</Table.Td>
                <Table.Td ta="right">{number(count)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </SimpleGrid>
    </section>
  );
}
