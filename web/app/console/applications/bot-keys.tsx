import { Group, Table, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BotKey } from '../../../../src/people/console/bot-keys/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Empty, Loading } from '../../shared/page-parts.tsx';
import { type Page, Pager, pageSize } from '../../shared/pager.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { CreateKeyButton, RenameKeyButton } from './bot-key-form.tsx';
import { Section } from './section.tsx';
import { applicationTexts } from './texts.ts';

export function BotKeys() {
  const t = useTexts(applicationTexts);
  const api = useApi();
  const project = useProjectId();
  const [offset, setOffset] = useState(0);
  const { data, isPending, isError, error, refetch } = useQuery({
    queryKey: [project, 'bot-keys', offset],
    queryFn: () => api.get<Page<BotKey>>('bot-keys/', { limit: pageSize, offset }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title={t.keys} lead={t.keysLead} action={<CreateKeyButton />}>
      {isPending && <Loading />}
      {isError && <LoadProblem error={error} onRetry={refetch} />}
      {data?.count === 0 && (
        <Empty icon={<IconKey />} title={t.keyNone}>
          <Text>{t.keyNoneHint}</Text>
        </Empty>
      )}
      {data && data.count > 0 && (
        <>
          <KeyTable botKeys={data.results} />
          <Pager count={data.count} offset={offset} onMove={setOffset} />
        </>
      )}
    </Section>
  );
}

function KeyTable({ botKeys }: { botKeys: readonly BotKey[] }) {
  const t = useTexts(applicationTexts);
  const words = useTexts(common);
  const { moment } = useFormat();
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table verticalSpacing="sm" aria-label={t.keys}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.keyName}</Table.Th>
            <Table.Th>{words.created}</Table.Th>
            <Table.Th ta="right">{words.actions}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {botKeys.map((botKey) => (
            <Table.Tr key={botKey.uuid}>
              <Table.Th scope="row">{botKey.name}</Table.Th>
              <Table.Td>{moment(botKey.created_at)}</Table.Td>
              <Table.Td>
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <RenameKeyButton botKey={botKey} />
                  <RevokeKeyButton botKey={botKey} />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function RevokeKeyButton({ botKey: { uuid, name } }: { botKey: BotKey }) {
  const t = useTexts(applicationTexts);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  async function revoke() {
    await api.delete(`bot-keys/${uuid}/`);
    await queries.invalidateQueries({ queryKey: [project, 'bot-keys'] });
  }
  return (
    <ConfirmButton label={t.revokeKey} title={t.revokeKeyTitle(name)} onConfirm={revoke} size="xs">
      {t.revokeKeyText}
    </ConfirmButton>
  );
}
