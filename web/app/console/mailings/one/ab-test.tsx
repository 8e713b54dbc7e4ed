import { Alert, Group, List, Paper, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AbTestResult } from '../../../../../src/mailings/ab-test/result-schema.ts';
import { ConfirmButton } from '../../../shared/confirm.tsx';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import { Loading } from '../../../shared/page-parts.tsx';
import { LoadProblem } from '../../../shared/problem.tsx';
import { useApi, useProjectId } from '../../api.ts';
import { letterOf } from '../letter.ts';
import { abResultTexts } from './ab-test-texts.ts';

type Measured = AbTestResult['measures'][number];

const againMs = 5_000;

/** The variants of a mailing, and what its test has shown. */
export function AbTest({ uuid }: { uuid: string }) {
  const t = useTexts(abResultTexts);
  const api = useApi();
  const project = useProjectId();
  const query = useQuery({
    queryKey: [project, 'mailing', uuid, 'ab-test'],
    queryFn: ({ signal }) => api.get<AbTestResult>(`mailings/${uuid}/ab-test/`, {}, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'ended' ? false : againMs),
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={t.title}>
      <Title order={2} size="h4" mb="sm">
        {t.title}
      </Title>
      {query.isPending && <Loading height={160} />}
      {query.isError && <LoadProblem error={query.error} onRetry={query.refetch} />}
      {query.data && <Result uuid={uuid} result={query.data} />}
    </Paper>
  );
}

function Result({ uuid, result }: { uuid: string; result: AbTestResult }) {
  const t = useTexts(abResultTexts);
  const { moment } = useFormat();
  const { state, decide_at, decision, measures } = result;
  return (
    <Stack gap="sm">
      <Text role="status">{state === 'waiting' ? t.waiting(moment(decide_at)) : t.states[state]}</Text>
      {decision && <Decided decision={decision} />}
      {state === 'asking' && <Choice uuid={uuid} variants={result.variants} />}
      {measures.length > 0 && (
        <div>
          <Title order={3} size="h5">
            {t.ended}
          </Title>
          {measures.map((one) => (
            <Shares key={one.measure} measured={one} />
          ))}
        </div>
      )}
      {(decision || measures.length > 0) && (
        <Text size="sm" c="dimmed">
          {t.honest}
        </Text>
      )}
      <Counts variants={result.variants} />
      {decision && (
        <Text size="sm" c="dimmed">
          {t.tableHelp}
        </Text>
      )}
    </Stack>
  );
}

function Decided({ decision }: { decision: NonNullable<AbTestResult['decision']> }) {
  const t = useTexts(abResultTexts);
  const { moment } = useFormat();
  const { variant, author } = decision;
  return (
    <div>
      <Title order={3} size="h5">
        {t.decided(moment(decision.decided_at))}
      </Title>
      <Shares measured={decision} />
      {variant !== null && (
        <Text mt="xs">
          {author === null ? t.rest(letterOf(variant)) : t.chosen(letterOf(variant), author)}
        </Text>
      )}
    </div>
  );
}

/** The verdict in words, and each variant’s share with its interval. */
function Shares({ measured: { measure, shares, leaders } }: { measured: Measured }) {
  const t = useTexts(abResultTexts);
  const { number, percent } = useFormat();
  const [leader] = leaders;
  const name = t.measures[measure];
  const verdict =
    leader === undefined
      ? t.nobody
      : leaders.length === 1
        ? t.won(letterOf(leader), name)
        : t.same(leaders.map(letterOf).join(', '), name);
  return (
    <div>
      <Text fw={600} mt="xs">
        {verdict}
      </Text>
      <List size="sm">
        {shares.map(({ count, of, rate, low, high }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is the variant.
          <List.Item key={index}>
            {`${t.variant(letterOf(index + 1))}: `}
            {of === 0
              ? t.nothing
              : t.interval(percent(rate), number(count), number(of), percent(low), percent(high))}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

function Choice({ uuid, variants }: { uuid: string; variants: AbTestResult['variants'] }) {
  const t = useTexts(abResultTexts);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  async function choose(variant: number) {
    try {
      await api.post(`mailings/${uuid}/ab-test/choose/`, { variant });
    } finally {
      await queries.invalidateQueries({ queryKey: [project, 'mailing', uuid] });
    }
  }
  return (
    <Alert color="yellow" variant="light">
      <Group gap="sm">
        {variants.map(({ variant }) => (
          <ConfirmButton
            key={variant}
            label={t.choose(letterOf(variant))}
            title={t.chooseTitle(letterOf(variant))}
            onConfirm={() => choose(variant)}
          >
            {t.chooseSays}
          </ConfirmButton>
        ))}
      </Group>
    </Alert>
  );
}

const columns = ['planned', 'sent', 'delivered'] as const;
const reactions = ['read', 'jumped', 'clicked', 'replied', 'converted'] as const;

function Counts({ variants }: { variants: AbTestResult['variants'] }) {
  const t = useTexts(abResultTexts);
  const { number, percent } = useFormat();
  return (
    <Table.ScrollContainer
      minWidth={760}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': t.table } }}
    >
      <Table verticalSpacing="xs" aria-label={t.table}>
        <Table.Thead>
          <Table.Tr style={{ verticalAlign: 'top' }}>
            <Table.Th scope="col">{t.name}</Table.Th>
            <Table.Th scope="col" ta="right">
              {t.share}
            </Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} scope="col" ta="right">
                {t[column]}
              </Table.Th>
            ))}
            {reactions.map((reaction) => (
              <Table.Th key={reaction} scope="col" ta="right">
                {t.measures[reaction]}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {variants.map((row) => (
            <Table.Tr key={row.variant}>
              <Table.Th scope="row">{t.variant(letterOf(row.variant))}</Table.Th>
              <Table.Td ta="right">{percent(row.share / 100)}</Table.Td>
              {[...columns, ...reactions].map((column) => (
                <Table.Td key={column} ta="right">
                  {number(row[column])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
