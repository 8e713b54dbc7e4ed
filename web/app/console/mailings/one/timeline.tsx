import { LineChart } from '@mantine/charts';
import { Table, Text, Title, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { MailingSummary, Timeline } from '../../../../../src/people/console/mailings/schema.ts';
import { useFormat, useLanguage, useTexts } from '../../../shared/language.tsx';
import { Loading } from '../../../shared/page-parts.tsx';
import { LoadProblem } from '../../../shared/problem.tsx';
import { useApi, useProjectId } from '../../api.ts';
import { mailingTexts } from '../texts.ts';
import { oneTexts } from './texts.ts';

const liveMs = 5_000;
const dayMs = 86_400_000;

/** The times at which messages of the last run were sent, delivered and read. */
export function MailingTimeline({ summary }: { summary: MailingSummary }) {
  const api = useApi();
  const project = useProjectId();
  const t = useTexts(oneTexts);
  const query = useQuery({
    queryKey: [project, 'mailing', summary.uuid, 'timeline'],
    queryFn: ({ signal }) => api.get<Timeline>(`mailings/${summary.uuid}/timeline/`, {}, signal),
    placeholderData: keepPreviousData,
    refetchInterval: summary.state === 'in_process' ? liveMs : false,
  });
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {t.timeline}
      </Title>
      {query.isPending && <Loading height={260} />}
      {query.isError && <LoadProblem error={query.error} onRetry={query.refetch} />}
      {query.data?.results.length === 0 && <Text c="dimmed">{t.timelineNone}</Text>}
      {query.data && query.data.results.length > 0 && <Chart timeline={query.data} />}
    </section>
  );
}

function Chart({ timeline }: { timeline: Timeline }) {
  const t = useTexts(oneTexts);
  const all = useTexts(mailingTexts);
  const { number } = useFormat();
  const rows = useRows(timeline);
  return (
    <>
      {timeline.is_sample && (
        <Text size="sm" c="dimmed" mb="xs">
          {t.sampled}
        </Text>
      )}
      <div aria-hidden>
        <LineChart
          h={260}
          data={rows}
          dataKey="at"
          withLegend
          curveType="linear"
          withDots={rows.length < 30}
          valueFormatter={number}
          lineChartProps={{ accessibilityLayer: false }}
          series={[
            { name: 'sent', label: all.sent, color: 'teal.7' },
            { name: 'delivered', label: t.delivered, color: 'blue.6', strokeDasharray: '6 3' },
            { name: 'read', label: t.read, color: 'grape.6', strokeDasharray: '2 3' },
          ]}
        />
      </div>
      <VisuallyHidden>
        <Table>
          <Table.Caption>{t.timeline}</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.at}</Table.Th>
              <Table.Th>{all.sent}</Table.Th>
              <Table.Th>{t.delivered}</Table.Th>
              <Table.Th>{t.read}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ at, sent, delivered, read }) => (
              <Table.Tr key={at}>
                <Table.Td>{at}</Table.Td>
                <Table.Td>{number(sent)}</Table.Td>
                <Table.Td>{number(delivered)}</Table.Td>
                <Table.Td>{number(read)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </VisuallyHidden>
    </>
  );
}

/** All steps from first to last, including empty ones. */
function useRows({ step_seconds, results }: Timeline) {
  const { language } = useLanguage();
  const stepMs = step_seconds * 1000;
  const known = new Map(results.map((row) => [new Date(row.at).getTime(), row]));
  const [first = 0, last = 0] = [Math.min(...known.keys()), Math.max(...known.keys())];
  const isLong = last - first > dayMs;
  const write = new Intl.DateTimeFormat(language, {
    ...(isLong && { day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
    ...(step_seconds < 60 && { second: '2-digit' }),
  });
  return Array.from({ length: Math.round((last - first) / stepMs) + 1 }, (_, index) => {
    const at = first + index * stepMs;
    const { sent = 0, delivered = 0, read = 0 } = known.get(at) ?? {};
    return { at: write.format(at), sent, delivered, read };
  });
}
