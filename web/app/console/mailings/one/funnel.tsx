import { BarChart } from '@mantine/charts';
import { SimpleGrid, Table, Text, Title } from '@mantine/core';
import type { MailingDetail } from '../../../../../src/people/console/mailings/schema.ts';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import { mailingTexts } from '../texts.ts';
import { oneTexts } from './texts.ts';

/** The funnel from planned to replied, with its numbers. */
export function MailingFunnel({ detail: { summary, mailing } }: { detail: MailingDetail }) {
  const t = useTexts(oneTexts);
  const all = useTexts(mailingTexts);
  const { number } = useFormat();
  const { counts } = summary;
  const { count_jumped_url, count_clicked, count_replied, count_converted } = mailing.statistics;
  const steps = [
    { step: t.sum, count: counts.planned },
    { step: all.sent, count: counts.sent },
    { step: t.delivered, count: counts.delivered },
    { step: t.read, count: counts.read },
    { step: t.jumped, count: count_jumped_url },
    { step: t.clicked, count: count_clicked },
    { step: t.replied, count: count_replied },
    { step: t.converted, count: count_converted },
  ];
  return (
    <section>
      <Title order={2} size="h4" mb={4}>
        {t.funnel}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t.receiptsHelp}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <div aria-hidden>
          <BarChart
            h={280}
            data={steps}
            dataKey="step"
            orientation="vertical"
            series={[{ name: 'count', label: t.count, color: 'teal.7' }]}
            yAxisProps={{ width: 130 }}
            valueFormatter={number}
            gridAxis="y"
            tickLine="none"
            barChartProps={{ accessibilityLayer: false }}
          />
        </div>
        <FunnelTable steps={steps} planned={counts.planned} />
      </SimpleGrid>
    </section>
  );
}

function FunnelTable({ steps, planned }: { steps: { step: string; count: number }[]; planned: number }) {
  const t = useTexts(oneTexts);
  const { number, percent } = useFormat();
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.step}</Table.Th>
          <Table.Th ta="right">{t.count}</Table.Th>
          <Table.Th ta="right">{t.share}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {steps.map(({ step, count }) => (
          <Table.Tr key={step}>
            <Table.Td>{step}</Table.Td>
            <Table.Td ta="right">{number(count)}</Table.Td>
            <Table.Td ta="right">{percent(planned > 0 ? count / planned : 0)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
