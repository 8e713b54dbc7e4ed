import { Button, Modal, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ListedAudience } from '../../../../src/people/console/audiences/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Empty, Loading, PageHead } from '../../shared/page-parts.tsx';
import type { Page } from '../../shared/pager.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { AudienceForm } from './audience-form.tsx';
import { LiveSize } from './live-size.tsx';
import { audienceTexts } from './texts.ts';

/** More than a project may have. */
const limit = 100;

/** `/console/<project>/audiences/` */
export default function Audiences() {
  const t = useTexts(audienceTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const [isNew, { open, close }] = useDisclosure();
  const audiences = useQuery({
    queryKey: [project, 'audiences'],
    queryFn: ({ signal }) => api.get<Page<ListedAudience>>('audiences/', { limit }, signal),
  });
  const add = <Button onClick={open}>{t.add}</Button>;
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        {add}
      </PageHead>
      {audiences.isPending && <Loading />}
      {audiences.isError && <LoadProblem error={audiences.error} onRetry={audiences.refetch} />}
      {audiences.data?.count === 0 && (
        <Empty icon={<IconFilter />} title={t.none}>
          <Text>{t.noneHint}</Text>
        </Empty>
      )}
      {audiences.data && audiences.data.count > 0 && <AudienceTable audiences={audiences.data.results} />}
      <Modal
        opened={isNew}
        onClose={close}
        size="xl"
        title={t.add}
        closeButtonProps={{ 'aria-label': words.close }}
      >
        <AudienceForm audience={null} onDone={close} />
      </Modal>
    </>
  );
}

function AudienceTable({ audiences }: { audiences: ListedAudience[] }) {
  const t = useTexts(audienceTexts);
  const project = useProjectId();
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.name}</Table.Th>
            <Table.Th ta="right">{t.size}</Table.Th>
            <Table.Th ta="right">{t.change}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {audiences.map((audience) => (
            <Table.Tr key={audience.uuid}>
              <Table.Th scope="row" style={{ overflowWrap: 'anywhere' }}>
                <TextLink
                  size="sm"
                  to="/$project/audiences/$audience/"
                  params={{ project, audience: audience.uuid }}
                >
                  {audience.name}
                </TextLink>
              </Table.Th>
              <Table.Td ta="right">
                <LiveSize name={audience.name} changedAt={audience.updated_at} />
              </Table.Td>
              <Table.Td ta="right">
                <Change day={audience.last_day} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Change({ day }: { day: ListedAudience['last_day'] }) {
  const t = useTexts(audienceTexts);
  const { number } = useFormat();
  if (!day || day.problem !== null || day.came === null || day.gone === null) {
    return <Text size="sm">{day?.problem ?? t.notYet}</Text>;
  }
  return <>{t.cameAndGone(number(day.came), number(day.gone))}</>;
}
