import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { FailureList } from '../../../../src/people/console/channels/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { channels } from './texts.ts';

/** The latest failed messages with their reasons. */
export function Failures({ uuid }: { uuid: string }) {
  const api = useApi();
  const project = useProjectId();
  const t = useTexts(channels);
  const words = useTexts(common);
  const { ago, moment } = useFormat();
  const { data, error, refetch } = useQuery({
    queryKey: [project, 'channels', uuid, 'failures'],
    queryFn: ({ signal }) => api.get<FailureList>(`channels/${uuid}/failures/`, {}, signal),
  });
  if (error) return <LoadProblem error={error} onRetry={refetch} />;
  if (!data) return <Loading height={80} />;
  if (data.results.length === 0) return <Text>{t.noFailures}</Text>;
  return (
    <Table.ScrollContainer
      minWidth={560}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': t.failures } }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.when}</Table.Th>
            <Table.Th>{t.client}</Table.Th>
            <Table.Th>{words.state}</Table.Th>
            <Table.Th>{t.why}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.results.map((failure) => (
            <Table.Tr key={failure.uuid}>
              <Table.Td title={moment(failure.at)}>{ago(failure.at)}</Table.Td>
              <Table.Td>{failure.chat.name ?? t.nobody}</Table.Td>
              <Table.Td>{failure.state === 'ERROR' ? t.error : t.undelivered}</Table.Td>
              <Table.Td>{failure.reason}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
