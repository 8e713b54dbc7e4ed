import { Group, Table, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconCalendar, IconPlus, IconSearch, IconSend } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { leastCompared, mostCompared } from '../../../../src/people/console/mailings/compare/limits.ts';
import type { MailingSummary } from '../../../../src/people/console/mailings/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Empty, Loading, PageHead } from '../../shared/page-parts.tsx';
import { type Page, Pager, pageSize } from '../../shared/pager.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { ButtonLink } from '../links.tsx';
import { calendarTexts } from './calendar/texts.ts';
import { compareTexts } from './compare/texts.ts';
import { MailingRow } from './row.tsx';
import { mailingTexts } from './texts.ts';

const liveMs = 2_000;
const restMs = 30_000;

export default function Mailings() {
  const t = useTexts(mailingTexts);
  const calendar = useTexts(calendarTexts);
  const api = useApi();
  const project = useProjectId();
  const { search = '', offset = 0 } = useSearch({ strict: false });
  const [chosen, setChosen] = useState<string[]>([]);
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: [project, 'mailings', { search, offset }],
    queryFn: ({ signal }) =>
      api.get<Page<MailingSummary>>('mailings/', { limit: pageSize, offset, search }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.results.some(({ state }) => state === 'in_process') ? liveMs : restMs,
  });
  const show = (what: { search?: string | undefined; offset?: number | undefined }) =>
    navigate({ to: '/$project/mailings/', params: { project }, search: what });
  const move = (to: number) => show({ search: search || undefined, offset: to || undefined });
  const isNew = query.data?.count === 0 && search === '';
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        <CompareLink chosen={chosen} />
        <ButtonLink
          to="/$project/mailings/calendar/"
          params={{ project }}
          variant="default"
          leftSection={<IconCalendar size={16} aria-hidden />}
        >
          {calendar.open}
        </ButtonLink>
        <ButtonLink
          to="/$project/mailings/new/"
          params={{ project }}
          leftSection={<IconPlus size={16} aria-hidden />}
        >
          {t.create}
        </ButtonLink>
      </PageHead>
      {!isNew && <SearchField value={search} onChange={(word) => show({ search: word || undefined })} />}
      {query.isPending && <Loading height={400} />}
      {query.isError && <LoadProblem error={query.error} onRetry={query.refetch} />}
      {query.data && query.data.count === 0 && <Nothing isNew={isNew} />}
      {query.data && query.data.count > 0 && (
        <MailingTable mailings={query.data.results} chosen={chosen} onChoose={setChosen} />
      )}
      {query.data && <Pager count={query.data.count} offset={offset} onMove={move} />}
    </>
  );
}

function SearchField({ value, onChange }: { value: string; onChange(word: string): void }) {
  const t = useTexts(mailingTexts);
  const [typed, setTyped] = useState(value);
  const tell = useDebouncedCallback(onChange, 300);
  return (
    <TextInput
      type="search"
      aria-label={t.search}
      placeholder={t.search}
      leftSection={<IconSearch size={16} aria-hidden />}
      maw={360}
      mb="md"
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        tell(currentTarget.value.trim());
      }}
    />
  );
}

function Nothing({ isNew }: { isNew: boolean }) {
  const t = useTexts(mailingTexts);
  const project = useProjectId();
  return (
    <Empty icon={<IconSend size={28} />} title={isNew ? t.none : t.notFound}>
      <Text c="dimmed">{isNew ? t.noneHelp : t.notFoundHelp}</Text>
      <Group>
        {isNew ? (
          <ButtonLink to="/$project/mailings/new/" params={{ project }}>
            {t.create}
          </ButtonLink>
        ) : (
          <ButtonLink to="/$project/mailings/" params={{ project }} variant="default" reloadDocument>
            {t.showAll}
          </ButtonLink>
        )}
      </Group>
    </Empty>
  );
}

/** Leads to the comparison of the chosen mailings. */
function CompareLink({ chosen }: { chosen: string[] }) {
  const t = useTexts(compareTexts);
  const project = useProjectId();
  if (chosen.length === 0) return null;
  if (chosen.length < leastCompared || chosen.length > mostCompared) return <Text size="sm">{t.hint}</Text>;
  return (
    <ButtonLink
      to="/$project/mailings/compare/"
      params={{ project }}
      search={{ mailings: chosen.join(',') }}
      variant="default"
    >
      {t.open(chosen.length)}
    </ButtonLink>
  );
}

function MailingTable({
  mailings,
  chosen,
  onChoose,
}: {
  mailings: MailingSummary[];
  chosen: string[];
  onChoose(chosen: string[]): void;
}) {
  const t = useTexts(mailingTexts);
  const compared = useTexts(compareTexts);
  const words = useTexts(common);
  return (
    <Table.ScrollContainer minWidth={880}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={40}>
              <VisuallyHidden>{compared.title}</VisuallyHidden>
            </Table.Th>
            <Table.Th>{words.name}</Table.Th>
            <Table.Th>{words.state}</Table.Th>
            <Table.Th>{t.when}</Table.Th>
            <Table.Th w={220}>{t.progress}</Table.Th>
            <Table.Th>{t.speed}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {mailings.map((mailing) => (
            <MailingRow
              key={mailing.uuid}
              mailing={mailing}
              isChosen={chosen.includes(mailing.uuid)}
              onChoose={(isChosen) =>
                onChoose([
                  ...chosen.filter((uuid) => uuid !== mailing.uuid),
                  ...(isChosen ? [mailing.uuid] : []),
                ])
              }
            />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
