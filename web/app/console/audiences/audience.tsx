import { Button, Card, Code, List, Modal, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AudienceDetail } from '../../../../src/people/console/audiences/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Loading, PageHead } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { AudienceForm } from './audience-form.tsx';
import { Days } from './days.tsx';
import { LiveSize } from './live-size.tsx';
import { audienceTexts } from './texts.ts';

/** `/console/<project>/audiences/<uuid>/` */
export default function AudiencePage() {
  const t = useTexts(audienceTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const { audience: uuid } = useParams({ from: '/$project/audiences/$audience' });
  const [edits, { open, close }] = useDisclosure();
  const query = useQuery({
    queryKey: [project, 'audience', uuid],
    queryFn: ({ signal }) => api.get<AudienceDetail>(`audiences/${uuid}/`, {}, signal),
  });
  if (query.isPending) return <Loading height={480} />;
  if (query.isError) return <LoadProblem error={query.error} onRetry={query.refetch} />;
  const audience = query.data;
  return (
    <>
      <TextLink to="/$project/audiences/" params={{ project }}>
        ← {t.all}
      </TextLink>
      <PageHead title={audience.name}>
        <Button onClick={open}>{t.edit}</Button>
        <Remove audience={audience} />
      </PageHead>
      <Stack gap="lg">
        <Figures audience={audience} />
        <Days days={audience.days} />
        <Uses {...audience} />
        <section>
          <Title order={2} size="h4" mb="sm">
            {t.filter}
          </Title>
          <Code block>{JSON.stringify(audience.filter_chats, null, 2)}</Code>
        </section>
      </Stack>
      <Modal
        opened={edits}
        onClose={close}
        size="xl"
        title={t.editTitle(audience.name)}
        closeButtonProps={{ 'aria-label': words.close }}
      >
        <AudienceForm audience={audience} onDone={close} />
      </Modal>
    </>
  );
}

function Figures({ audience: { name, updated_at, days } }: { audience: AudienceDetail }) {
  const t = useTexts(audienceTexts);
  const { number } = useFormat();
  const last = days.at(-1);
  const known = (value: number | null | undefined) => (typeof value === 'number' ? number(value) : '–');
  const figures: [string, ReactNode][] = [
    [t.size, <LiveSize key="size" name={name} changedAt={updated_at} />],
    [t.came, known(last?.came)],
    [t.gone, known(last?.gone)],
  ];
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      {figures.map(([label, value]) => (
        <Card withBorder key={label} p="sm">
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text size="xl" fw={600} component="div">
            {value}
          </Text>
        </Card>
      ))}
    </SimpleGrid>
  );
}

function Uses({ mailings, scenarios }: Pick<AudienceDetail, 'mailings' | 'scenarios'>) {
  const t = useTexts(audienceTexts);
  const uses = [...mailings, ...scenarios.map(t.scenario)];
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {t.uses}
      </Title>
      {uses.length === 0 && <Text>{t.noUses}</Text>}
      <List>
        {uses.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: mailings may have the same name.
          <List.Item key={index}>{name}</List.Item>
        ))}
      </List>
    </section>
  );
}

function Remove({ audience: { uuid, name } }: { audience: AudienceDetail }) {
  const t = useTexts(audienceTexts);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <ConfirmButton
      label={t.delete}
      title={t.deleteTitle(name)}
      onConfirm={async () => {
        await api.delete(`audiences/${uuid}/`);
        await navigate({ to: '/$project/audiences/', params: { project } });
        await queries.invalidateQueries({ queryKey: [project, 'audiences'] });
        await queries.invalidateQueries({ queryKey: [project, 'mailing-choices'] });
      }}
    >
      {t.deleteText}
    </ConfirmButton>
  );
}
