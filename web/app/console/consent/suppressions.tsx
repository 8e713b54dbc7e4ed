import { Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { IconBellOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Suppression } from '../../../../src/people/console/consent/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Empty, Loading } from '../../shared/page-parts.tsx';
import { type Page, Pager, pageSize } from '../../shared/pager.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { Download } from '../download.tsx';
import { Dialog } from '../promocodes/dialog.tsx';
import { AddForm, ImportForm } from './suppression-forms.tsx';
import { consentTexts } from './texts.ts';

/** The addresses that no mailing reaches. */
export function Suppressions() {
  const t = useTexts(consentTexts);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const [offset, setOffset] = useState(0);
  const [search, setSearch] = useState('');
  const list = useQuery({
    queryKey: [project, 'suppressions', search, offset],
    queryFn: ({ signal }) =>
      api.get<Page<Suppression>>('suppressions/', { search, limit: pageSize, offset }, signal),
    placeholderData: keepPreviousData,
  });
  const changed = () => queries.invalidateQueries({ queryKey: [project, 'suppressions'] });
  return (
    <Stack>
      <Group justify="space-between" align="flex-start">
        <Text maw={640}>{t.listLead}</Text>
        <Actions onChanged={changed} />
      </Group>
      <TextInput
        type="search"
        label={t.find}
        description={t.findHint}
        maxLength={512}
        maw={420}
        value={search}
        onChange={({ currentTarget: { value } }) => {
          setSearch(value);
          setOffset(0);
        }}
      />
      {list.isPending && <Loading />}
      {list.isError && <LoadProblem error={list.error} onRetry={list.refetch} />}
      {list.data?.count === 0 && (
        <Empty icon={<IconBellOff />} title={search === '' ? t.noAddresses : t.noFound} />
      )}
      {list.data && list.data.count > 0 && (
        <>
          <AddressTable rows={list.data.results} onChanged={changed} />
          <Pager count={list.data.count} offset={offset} onMove={setOffset} />
        </>
      )}
    </Stack>
  );
}

function Actions({ onChanged }: { onChanged(): Promise<void> }) {
  const t = useTexts(consentTexts);
  return (
    <Group gap="xs">
      <Dialog label={t.addAddress} title={t.addAddress} variant="filled">
        {(close) => <AddForm onAdded={() => onChanged().then(close)} />}
      </Dialog>
      <Dialog label={t.import} title={t.import}>
        {() => <ImportForm onImported={onChanged} />}
      </Dialog>
      <Download path="suppressions/export/" name="suppressions" />
    </Group>
  );
}

function AddressTable({ rows, onChanged }: { rows: readonly Suppression[]; onChanged(): Promise<void> }) {
  const t = useTexts(consentTexts);
  const words = useTexts(common);
  const api = useApi();
  const { moment } = useFormat();
  return (
    <Table.ScrollContainer minWidth={640}>
      <Table verticalSpacing="xs" aria-label={t.list}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.address}</Table.Th>
            <Table.Th>{t.platform}</Table.Th>
            <Table.Th>{t.added}</Table.Th>
            <Table.Th ta="right">{words.actions}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ uuid, address, platform, added_at, way }) => (
            <Table.Tr key={uuid}>
              <Table.Th scope="row" style={{ overflowWrap: 'anywhere' }}>
                {address}
              </Table.Th>
              <Table.Td>{platform ?? t.everywhere}</Table.Td>
              <Table.Td>{`${moment(added_at)}, ${t.addedBy[way]}`}</Table.Td>
              <Table.Td ta="right">
                <ConfirmButton
                  label={words.delete}
                  title={t.deleteAddress(address)}
                  size="xs"
                  onConfirm={() => api.delete(`suppressions/${uuid}/`).then(onChanged)}
                >
                  {t.deleteAddressText}
                </ConfirmButton>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
