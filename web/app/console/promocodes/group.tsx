import { Alert, Card, Group, SimpleGrid, Text } from '@mantine/core';
import { useParams, useSearch } from '@tanstack/react-router';
import type { StockedGroup } from '../../../../src/people/console/promocodes/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Loading, PageHead } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useProjectId } from '../api.ts';
import { Download } from '../download.tsx';
import { TextLink } from '../links.tsx';
import { AddCode } from './add-code.tsx';
import { useGroup } from './calls.ts';
import { DeleteGroup, RenameGroup } from './change-group.tsx';
import { Codes } from './codes.tsx';
import { Generate } from './generate.tsx';
import { Import } from './import.tsx';
import { stockOf } from './stock.tsx';
import { promocodeTexts } from './texts.ts';

/** `/console/<project>/promocodes/<uuid>/` */
export default function PromocodeGroupPage() {
  const t = useTexts(promocodeTexts);
  const project = useProjectId();
  const { group: uuid } = useParams({ from: '/$project/promocodes/$group' });
  const { offset = 0, status } = useSearch({ from: '/$project/promocodes/$group' });
  const group = useGroup(uuid);
  if (group.isPending) return <Loading height={480} />;
  if (group.isError) return <LoadProblem error={group.error} onRetry={group.refetch} />;
  return (
    <>
      <TextLink to="/$project/promocodes/" params={{ project }}>
        ← {t.allGroups}
      </TextLink>
      <PageHead title={group.data.name}>
        <RenameGroup group={group.data} />
        <Download path={`promocode-groups/${group.data.uuid}/export/`} name={group.data.name} />
        <DeleteGroup group={group.data} />
      </PageHead>
      <Stock group={group.data} />
      <Group mb="lg" gap="sm">
        <Generate group={uuid} />
        <Import group={uuid} />
        <AddCode group={uuid} />
      </Group>
      <Codes key={status} group={uuid} status={status} offset={offset} />
    </>
  );
}

function Stock({ group }: { group: StockedGroup }) {
  const t = useTexts(promocodeTexts);
  const { number } = useFormat();
  const stock = stockOf(group);
  return (
    <>
      <SimpleGrid cols={3} mb="md">
        {(['available', 'issued', 'lapsed'] as const).map((what) => (
          <Card withBorder key={what} p="sm">
            <Text size="sm" c="dimmed">
              {t[what]}
            </Text>
            <Text size="xl" fw={600}>
              {number(group[what])}
            </Text>
          </Card>
        ))}
      </SimpleGrid>
      {stock !== 'enough' && (
        <Alert color={stock === 'out' ? 'red' : 'yellow'} title={t[stock]} mb="md">
          {stock === 'out' ? t.outHint : t.lowHint}
        </Alert>
      )}
    </>
  );
}
