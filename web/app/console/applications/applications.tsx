import { Stack, Text } from '@mantine/core';
import { IconApps } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Application } from '../../../../src/people/console/applications/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Empty, Loading } from '../../shared/page-parts.tsx';
import { type Page, Pager, pageSize } from '../../shared/pager.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { ApplicationCard } from './card.tsx';
import { RegisterButton } from './register.tsx';
import { Section } from './section.tsx';
import { applicationTexts } from './texts.ts';

export function Applications() {
  const t = useTexts(applicationTexts);
  const api = useApi();
  const project = useProjectId();
  const [offset, setOffset] = useState(0);
  const { data, isPending, isError, error, refetch } = useQuery({
    queryKey: [project, 'applications', offset],
    queryFn: () => api.get<Page<Application>>('applications/', { limit: pageSize, offset }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title={t.applications} lead={t.applicationsLead} action={<RegisterButton />}>
      {isPending && <Loading />}
      {isError && <LoadProblem error={error} onRetry={refetch} />}
      {data?.count === 0 && (
        <Empty icon={<IconApps />} title={t.none}>
          <Text>{t.noneHint}</Text>
        </Empty>
      )}
      {data && data.count > 0 && (
        <Stack>
          {data.results.map((application) => (
            <ApplicationCard key={application.uuid} application={application} />
          ))}
          <Pager count={data.count} offset={offset} onMove={setOffset} />
        </Stack>
      )}
    </Section>
  );
}
