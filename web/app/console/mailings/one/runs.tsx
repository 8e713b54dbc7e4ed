import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { MailingSummary, Runs } from '../../../../../src/people/console/mailings/schema.ts';
import { texts, useFormat, useTexts } from '../../../shared/language.tsx';
import { Loading } from '../../../shared/page-parts.tsx';
import { LoadProblem } from '../../../shared/problem.tsx';
import { useApi, useProjectId } from '../../api.ts';
import { mailingTexts } from '../texts.ts';

const runTexts = texts(
  { run: 'Run', began: 'Started', none: 'The first run has not started yet.' },
  { ru: { run: 'Запуск', began: 'Начало', none: 'Первый запуск ещё не начался.' } },
);

export function MailingRuns({ summary: { uuid, state } }: { summary: MailingSummary }) {
  const api = useApi();
  const project = useProjectId();
  const t = useTexts(runTexts);
  const all = useTexts(mailingTexts);
  const { number, moment } = useFormat();
  const query = useQuery({
    queryKey: [project, 'mailing', uuid, 'runs', state],
    queryFn: ({ signal }) => api.get<Runs>(`mailings/${uuid}/runs/`, {}, signal),
  });
  if (query.isPending) return <Loading />;
  if (query.isError) return <LoadProblem error={query.error} onRetry={query.refetch} />;
  if (query.data.results.length === 0) return <Text>{t.none}</Text>;
  return (
    <Table.ScrollContainer minWidth={560}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.run}</Table.Th>
            <Table.Th>{t.began}</Table.Th>
            <Table.Th ta="right">{all.planned}</Table.Th>
            <Table.Th ta="right">{all.sent}</Table.Th>
            <Table.Th ta="right">{all.undelivered}</Table.Th>
            <Table.Th ta="right">{all.stopped}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {query.data.results.map(({ run, started_at, planned, sent, undelivered, stopped }) => (
            <Table.Tr key={run}>
              <Table.Td>{number(run)}</Table.Td>
              <Table.Td>{moment(started_at)}</Table.Td>
              <Table.Td ta="right">{number(planned)}</Table.Td>
              <Table.Td ta="right">{number(sent)}</Table.Td>
              <Table.Td ta="right">{number(undelivered)}</Table.Td>
              <Table.Td ta="right">{number(stopped)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
