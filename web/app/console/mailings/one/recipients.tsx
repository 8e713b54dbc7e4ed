import { Button, Center, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type {
  MailingSummary,
  Recipient,
  RecipientState,
  Recipients,
} from '../../../../../src/people/console/mailings/schema.ts';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import { Loading } from '../../../shared/page-parts.tsx';
import { LoadProblem } from '../../../shared/problem.tsx';
import { common } from '../../../shared/texts.ts';
import { useApi, useProjectId } from '../../api.ts';
import { Download } from '../../download.tsx';
import { mailingTexts } from '../texts.ts';
import { RecipientRow } from './recipient-row.tsx';
import { recipientTexts } from './recipient-texts.ts';

/** The number of recipients in each state; the sum is the number of planned ones. */
function countsBy({ counts }: MailingSummary): Record<RecipientState, number> {
  const { pending, sent, delivered, read, undelivered, stopped } = counts;
  return { pending, sent: sent - delivered, delivered: delivered - read, read, undelivered, stopped };
}

export function MailingRecipients({ summary }: { summary: MailingSummary }) {
  const api = useApi();
  const project = useProjectId();
  const t = useTexts(recipientTexts);
  const [state, setState] = useState<RecipientState | ''>('');
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 300);
  const query = useInfiniteQuery({
    queryKey: [project, 'mailing', summary.uuid, 'recipients', { state, search }],
    queryFn: ({ pageParam, signal }) =>
      api.get<Recipients>(
        `mailings/${summary.uuid}/recipients/`,
        { state, search, after: pageParam },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const recipients = query.data?.pages.flatMap(({ results }) => results) ?? [];
  const { hasNextPage, isFetching, fetchNextPage } = query;
  // A page can be empty and still have a successor, if recipients in this state are rare.
  const seeks = recipients.length === 0 && hasNextPage && !isFetching;
  useEffect(() => {
    if (seeks) void fetchNextPage();
  }, [seeks, fetchNextPage]);
  return (
    <Stack>
      <Group align="flex-end">
        <StateSelect counts={countsBy(summary)} value={state} onChange={setState} />
        <TextInput
          type="search"
          label={t.search}
          leftSection={<IconSearch size={16} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          w={{ base: '100%', xs: 320 }}
        />
        {summary.counts.planned > 0 && (
          <Download
            path={`mailings/${summary.uuid}/recipients/export/`}
            name={summary.name}
            label={t.download}
          />
        )}
      </Group>
      {(query.isPending || seeks) && <Loading />}
      {query.isError && <LoadProblem error={query.error} onRetry={query.refetch} />}
      {query.isSuccess && recipients.length === 0 && !hasNextPage && (
        <Text>{search === '' ? t.none : t.noneFound}</Text>
      )}
      {recipients.length > 0 && <RecipientTable recipients={recipients} />}
      {recipients.length > 0 && hasNextPage && (
        <Center>
          <Button variant="default" loading={isFetching} onClick={() => fetchNextPage()}>
            {t.more}
          </Button>
        </Center>
      )}
    </Stack>
  );
}

const order: readonly RecipientState[] = ['pending', 'sent', 'delivered', 'read', 'undelivered', 'stopped'];

function StateSelect({
  counts,
  value,
  onChange,
}: {
  counts: Record<RecipientState, number>;
  value: RecipientState | '';
  onChange(state: RecipientState | ''): void;
}) {
  const t = useTexts(recipientTexts);
  const all = useTexts(mailingTexts);
  const { number } = useFormat();
  const label = (state: RecipientState) => `${all.recipientStates[state]} (${number(counts[state])})`;
  return (
    <Select
      label={t.filter}
      data={[{ value: '', label: t.all }, ...order.map((state) => ({ value: state, label: label(state) }))]}
      value={value}
      onChange={(chosen) => onChange(order.find((state) => state === chosen) ?? '')}
      allowDeselect={false}
      w={240}
    />
  );
}

function RecipientTable({ recipients }: { recipients: Recipient[] }) {
  const t = useTexts(recipientTexts);
  const words = useTexts(common);
  const { number } = useFormat();
  return (
    <>
      <Text size="sm">{t.shown(number(recipients.length))}</Text>
      <Table.ScrollContainer minWidth={720}>
        <Table verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.client}</Table.Th>
              <Table.Th>{t.platform}</Table.Th>
              <Table.Th>{words.state}</Table.Th>
              <Table.Th>{t.at}</Table.Th>
              <Table.Th>{t.reactions}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {recipients.map((recipient) => (
              <RecipientRow key={recipient.uuid} recipient={recipient} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
}
