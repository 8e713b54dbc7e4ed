import { Group, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChannelDetails, ChannelList } from '../../../../src/people/console/channels/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Loading, PageHead } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { ButtonLink } from '../links.tsx';
import { FirstWidget } from './first-widget.tsx';
import { Identity } from './identity.tsx';
import { Install } from './install.tsx';
import { LookForm } from './look-form.tsx';
import { widgetTexts } from './texts.ts';

/** The project's widgets: their appearance and their installation. */
export default function WidgetPage() {
  const api = useApi();
  const project = useProjectId();
  const t = useTexts(widgetTexts);
  const [chosen, setChosen] = useState<string | null>(null);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [project, 'channels'],
    queryFn: ({ signal }) => api.get<ChannelList>('channels/', {}, signal),
  });
  const widgets = data?.results.filter(({ platform }) => platform === 'Widget') ?? [];
  const shown = widgets.find(({ uuid }) => uuid === chosen) ?? widgets[0];
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        {shown && (
          <ButtonLink to="/$project/channels/new/" params={{ project }} variant="default">
            {t.another}
          </ButtonLink>
        )}
      </PageHead>
      {isPending && <Loading height={480} />}
      {error && <LoadProblem error={error} onRetry={refetch} />}
      {data && !shown && <FirstWidget />}
      {widgets.length > 1 && (
        <Group mb="lg">
          <Select
            label={t.choose}
            data={widgets.map(({ uuid, name }) => ({ value: uuid, label: name }))}
            value={shown?.uuid ?? null}
            onChange={setChosen}
            allowDeselect={false}
          />
        </Group>
      )}
      {shown && <Widget key={shown.uuid} uuid={shown.uuid} />}
    </>
  );
}

function Widget({ uuid }: { uuid: string }) {
  const api = useApi();
  const project = useProjectId();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [project, 'channels', uuid],
    queryFn: ({ signal }) => api.get<ChannelDetails>(`channels/${uuid}/`, {}, signal),
    // Stored values must not replace current input.
    refetchOnWindowFocus: false,
  });
  if (isPending) return <Loading height={480} />;
  if (error) return <LoadProblem error={error} onRetry={refetch} />;
  return (
    <Stack gap={40}>
      <LookForm channel={data} />
      <Install uuid={uuid} />
      <Identity uuid={uuid} isSet={data.secrets.includes('identity_secret')} />
    </Stack>
  );
}
