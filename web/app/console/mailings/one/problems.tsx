import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { MailingSummary, Problems } from '../../../../../src/people/console/mailings/schema.ts';
import { texts, useFormat, useTexts } from '../../../shared/language.tsx';
import { Loading } from '../../../shared/page-parts.tsx';
import { LoadProblem } from '../../../shared/problem.tsx';
import { useApi, useProjectId } from '../../api.ts';
import { csvOf, saveFile } from './csv.ts';

const problemTexts = texts(
  {
    lead: (listed: string, count: string) =>
      `Skipped lines of the list: ${listed} of ${count} shown. The other lines were used.`,
    download: 'Download as CSV',
    line: 'Line',
    identifier: 'Identifier',
    reason: 'Reason',
  },
  {
    ru: {
      lead: (listed, count) =>
        `Пропущенные строки списка: показано ${listed} из ${count}. Остальные строки использованы.`,
      download: 'Скачать CSV',
      line: 'Строка',
      identifier: 'Идентификатор',
      reason: 'Причина',
    },
  },
);

export function MailingProblems({ summary: { uuid } }: { summary: MailingSummary }) {
  const api = useApi();
  const project = useProjectId();
  const t = useTexts(problemTexts);
  const { number } = useFormat();
  const query = useQuery({
    queryKey: [project, 'mailing', uuid, 'problems'],
    queryFn: ({ signal }) => api.get<Problems>(`mailings/${uuid}/problems/`, {}, signal),
  });
  if (query.isPending) return <Loading />;
  if (query.isError) return <LoadProblem error={query.error} onRetry={query.refetch} />;
  const { count, results } = query.data;
  const download = () => {
    const rows = results.map(({ line, identifier, reason }) => [String(line), identifier, reason]);
    saveFile('problems.csv', csvOf([[t.line, t.identifier, t.reason], ...rows]));
  };
  return (
    <Stack>
      <Group justify="space-between">
        <Text>{t.lead(number(results.length), number(count))}</Text>
        <Button variant="default" onClick={download} leftSection={<IconDownload size={16} aria-hidden />}>
          {t.download}
        </Button>
      </Group>
      <Table.ScrollContainer minWidth={520}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.line}</Table.Th>
              <Table.Th>{t.identifier}</Table.Th>
              <Table.Th>{t.reason}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {results.map(({ list, line, identifier, reason }) => (
              <Table.Tr key={`${list}-${line}`}>
                <Table.Td>{number(line)}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{identifier}</Table.Td>
                <Table.Td>{reason}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}
