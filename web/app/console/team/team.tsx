import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamMember } from '../../../../src/people/console/team/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Loading, PageHead } from '../../shared/page-parts.tsx';
import { type Page, Pager, pageSize } from '../../shared/pager.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { InviteButton } from './invite.tsx';
import { TeamTable } from './table.tsx';
import { teamTexts } from './texts.ts';

/** `/console/<project>/team/` */
export default function Team() {
  const t = useTexts(teamTexts);
  const api = useApi();
  const project = useProjectId();
  const [offset, setOffset] = useState(0);
  const team = useQuery({
    queryKey: [project, 'team', offset],
    queryFn: () => api.get<Page<TeamMember>>('team/', { limit: pageSize, offset }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        <InviteButton />
      </PageHead>
      {team.isPending && <Loading />}
      {team.isError && <LoadProblem error={team.error} onRetry={team.refetch} />}
      {team.data && (
        <>
          <TeamTable members={team.data.results} />
          <Pager count={team.data.count} offset={offset} onMove={setOffset} />
        </>
      )}
    </>
  );
}
