import { Alert, Text } from '@mantine/core';
import { IconUserSearch, IconUsers } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTexts } from '../../shared/language.tsx';
import { Empty, Loading, PageHead } from '../../shared/page-parts.tsx';
import { Pager } from '../../shared/pager.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useProjectId } from '../api.ts';
import { ButtonLink } from '../links.tsx';
import { useClients } from './calls.ts';
import { Filters } from './filters.tsx';
import { Sections } from './sections.tsx';
import { ProfileTable } from './table.tsx';
import { profileTexts } from './texts.ts';

/** `/console/<project>/profiles/` */
export default function Profiles() {
  const t = useTexts(profileTexts);
  const project = useProjectId();
  const navigate = useNavigate();
  const { search = '', tag, offset = 0 } = useSearch({ from: '/$project/profiles' });
  const clients = useClients(search, tag, offset);
  const isFiltered = search !== '' || tag !== undefined;
  const { data } = clients;
  const isEmpty = data?.count === 0;
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <Sections at="list" />
      {!(isEmpty && !isFiltered) && <Filters search={search} tag={tag} />}
      {clients.isPending && <Loading />}
      {clients.isError && <LoadProblem error={clients.error} onRetry={clients.refetch} />}
      {isEmpty && isFiltered && (
        <Empty icon={<IconUserSearch />} title={t.notFound}>
          <Text>{t.notFoundHint}</Text>
          <ButtonLink to="/$project/profiles/" params={{ project }} variant="default">
            {t.clear}
          </ButtonLink>
        </Empty>
      )}
      {isEmpty && !isFiltered && (
        <Empty icon={<IconUsers />} title={t.none}>
          <Text>{t.noneHint}</Text>
          <ButtonLink to="/$project/" params={{ project }}>
            {t.toChannels}
          </ButtonLink>
        </Empty>
      )}
      {data && !isEmpty && (
        <>
          {data.is_partial && (
            <Alert color="yellow" mb="sm" role="status">
              {t.partial}
            </Alert>
          )}
          <ProfileTable clients={data.results} />
          <Pager
            count={data.count}
            offset={offset}
            onMove={(to) =>
              navigate({
                to: '/$project/profiles/',
                params: { project },
                search: { search: search || undefined, tag, offset: to || undefined },
              })
            }
          />
        </>
      )}
    </>
  );
}
