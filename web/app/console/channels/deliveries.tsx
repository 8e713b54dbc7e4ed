import { BarChart } from '@mantine/charts';
import { Alert, Box, Stack, Text } from '@mantine/core';
import type { Deliveries as Figures } from '../../../../src/people/console/channels/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { channels } from './texts.ts';
import { completeMinute, totals, useDeliveries } from './use-deliveries.ts';
import '@mantine/charts/styles.css';

const series = [
  { name: 'read', color: 'teal.8' },
  { name: 'delivered', color: 'teal.5' },
  { name: 'sent', color: 'gray.5' },
  { name: 'undelivered', color: 'orange.6' },
  { name: 'error', color: 'red.7' },
] as const;

/** The results of the last day's messages, by hour. */
export default function Deliveries({ uuid }: { uuid: string }) {
  const t = useTexts(channels);
  const { moment } = useFormat();
  const { data, error, refetch } = useDeliveries(uuid);
  if (error) return <LoadProblem error={error} onRetry={refetch} />;
  if (!data) return <Loading height={260} />;
  const { sent, failed } = totals(data.hours);
  const hasSome = sent + failed > 0;
  return (
    <Stack gap="xs">
      {data.is_cut && <Alert color="yellow">{t.cut(moment(completeMinute(data)))}</Alert>}
      {!hasSome && !data.is_cut && <Text>{t.noDeliveries}</Text>}
      {hasSome && <Chart hours={data.hours} />}
    </Stack>
  );
}

function Chart({ hours }: { hours: Figures['hours'] }) {
  const t = useTexts(channels);
  const { time, number } = useFormat();
  const words = series.map(({ name }) => {
    const count = hours.reduce((all, hour) => all + hour[name], 0);
    return `${t[name]}: ${number(count)}`;
  });
  return (
    <Stack gap="xs">
      <Text>{words.join(' · ')}</Text>
      <Box aria-hidden>
        <BarChart
          h={240}
          type="stacked"
          data={hours.map(({ at, ...counts }) => ({ ...counts, at: time(at) }))}
          dataKey="at"
          series={series.map(({ name, color }) => ({ name, color, label: t[name] }))}
          withLegend
          barChartProps={{ accessibilityLayer: false }}
          valueFormatter={number}
        />
      </Box>
      <Text size="sm" c="dimmed">
        {t.receipts}
      </Text>
    </Stack>
  );
}
