import { Table, Text } from '@mantine/core';
import { IconTicket } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { StockedGroup } from '../../../../src/people/console/promocodes/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Empty, Loading, PageHead } from '../../shared/page-parts.tsx';
import { Pager } from '../../shared/pager.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { useGroups } from './calls.ts';
import { NewGroup } from './new-group.tsx';
import { StockBadge } from './stock.tsx';
import { promocodeTexts } from './texts.ts';

/** `/console/<project>/promocodes/` */
export default function PromocodeGroups() {
  const t = useTexts(promocodeTexts);
  const project = useProjectId();
  const navigate = useNavigate();
  const { offset = 0 } = useSearch({ from: '/$project/promocodes' });
  const groups = useGroups(offset);
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        <NewGroup />
      </PageHead>
      {groups.isPending && <Loading />}
      {groups.isError && <LoadProblem error={groups.error} onRetry={groups.refetch} />}
      {groups.data?.count === 0 && (
        <Empty icon={<IconTicket />} title={t.none}>
          <Text>{t.noneHint}</Text>
        </Empty>
      )}
      {groups.data && groups.data.count > 0 && (
        <>
          <GroupTable groups={groups.data.results} />
          <Pager
            count={groups.data.count}
            offset={offset}
            onMove={(to) =>
              navigate({
                to: '/$project/promocodes/',
                params: { project },
                search: { offset: to || undefined },
              })
            }
          />
        </>
      )}
    </>
  );
}

function GroupTable({ groups }: { groups: StockedGroup[] }) {
  const t = useTexts(promocodeTexts);
  const { number } = useFormat();
  const project = useProjectId();
  return (
    <Table.ScrollContainer minWidth={600}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.group}</Table.Th>
            <Table.Th ta="right">{t.available}</Table.Th>
            <Table.Th ta="right">{t.issued}</Table.Th>
            <Table.Th ta="right">{t.lapsed}</Table.Th>
            <Table.Th>{t.stock}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {groups.map((group) => (
            <Table.Tr key={group.uuid}>
              <Table.Th scope="row" style={{ overflowWrap: 'anywhere' }}>
                <TextLink size="sm" to="/$project/promocodes/$group/" params={{ project, group: group.uuid }}>
                  {group.name}
                </TextLink>
              </Table.Th>
              <Table.Td ta="right">{number(group.available)}</Table.Td>
              <Table.Td ta="right">{number(group.issued)}</Table.Td>
              <Table.Td ta="right">{number(group.lapsed)}</Table.Td>
              <Table.Td>
                <StockBadge group={group} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
