import { Table, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Comparison } from '../../../../../src/people/console/mailings/compare/schema.ts';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import { Loading, PageHead } from '../../../shared/page-parts.tsx';
import { LoadProblem } from '../../../shared/problem.tsx';
import { useApi, useProjectId } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { compareTexts } from './texts.ts';

type Measure = Comparison['measures'][number];

/** `/console/<project>/mailings/compare/` */
export default function ComparePage() {
  const t = useTexts(compareTexts);
  const api = useApi();
  const project = useProjectId();
  const { mailings = '' } = useSearch({ strict: false });
  const query = useQuery({
    queryKey: [project, 'mailings-compared', mailings],
    queryFn: ({ signal }) => api.get<Comparison>('mailings/compare/', { mailings }, signal),
    retry: false,
  });
  return (
    <>
      <TextLink to="/$project/mailings/" params={{ project }} size="sm">
        <IconArrowLeft size={14} aria-hidden /> {t.back}
      </TextLink>
      <PageHead title={t.title} lead={t.lead} />
      {query.isPending && <Loading height={480} />}
      {query.isError && <LoadProblem error={query.error} onRetry={query.refetch} />}
      {query.data && <ComparisonTable comparison={query.data} />}
    </>
  );
}

function ComparisonTable({ comparison: { mailings, measures } }: { comparison: Comparison }) {
  const t = useTexts(compareTexts);
  const { number, moment } = useFormat();
  const project = useProjectId();
  // Several mailings may have one name.
  const names = mailings.map(({ name }, place) => `${place + 1}. ${name}`);
  return (
    <Table.ScrollContainer minWidth={280 + mailings.length * 170}>
      <Table verticalSpacing="sm" aria-label={t.table}>
        <Table.Thead>
          <Table.Tr style={{ verticalAlign: 'top' }}>
            <Table.Th scope="col">{t.measure}</Table.Th>
            {mailings.map(({ uuid, started_at, planned }, place) => (
              <Table.Th key={uuid} scope="col" style={{ overflowWrap: 'anywhere' }}>
                <TextLink to="/$project/mailings/$mailing/" params={{ project, mailing: uuid }}>
                  {names[place]}
                </TextLink>
                <Text size="sm" fw={400}>
                  {started_at ? t.started(moment(started_at)) : t.notStarted}
                </Text>
                <Text size="sm" fw={400}>
                  {`${t.planned}: ${number(planned)}`}
                </Text>
              </Table.Th>
            ))}
            <Table.Th scope="col">{t.result}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {measures.map((measure) => (
            <MeasureRow key={measure.measure} measure={measure} names={names} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function MeasureRow({ measure, names }: { measure: Measure; names: string[] }) {
  const t = useTexts(compareTexts);
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Th scope="row">{t.measures[measure.measure]}</Table.Th>
      {measure.shares.map((share, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the mailing.
        <Table.Td key={place}>
          <ShareText share={share} />
        </Table.Td>
      ))}
      <Table.Td>
        <Result measure={measure} names={names} />
      </Table.Td>
    </Table.Tr>
  );
}

/** The measure's highest mailing, if its interval overlaps with no other. */
function Result({ measure: { leaders, shares }, names }: { measure: Measure; names: string[] }) {
  const t = useTexts(compareTexts);
  const highest = leaders.map((place) => names[place] ?? '');
  if (leaders.length === 0) return <Text size="sm">{t.nothing}</Text>;
  if (leaders.length === shares.length) return <Text size="sm">{t.same}</Text>;
  return (
    <Text size="sm">
      {leaders.length === 1 ? t.highest(highest[0] ?? '') : t.together(highest.join(', '))}
    </Text>
  );
}

function ShareText({ share: { count, of, rate, low, high } }: { share: Measure['shares'][number] }) {
  const t = useTexts(compareTexts);
  const { number, percent } = useFormat();
  if (of === 0) return <Text size="sm">{t.nothing}</Text>;
  return (
    <>
      <Text size="sm" fw={600}>
        {`${percent(rate)} (${number(count)})`}
      </Text>
      <Text size="sm" c="dimmed">
        {t.between(percent(low), percent(high))}
      </Text>
    </>
  );
}
