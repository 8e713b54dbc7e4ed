import { Group, Table, Text, TextInput } from '@mantine/core';
import { IconTicketOff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { GroupCode } from '../../../../src/people/console/promocodes/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Empty, Loading } from '../../shared/page-parts.tsx';
import { Pager } from '../../shared/pager.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useProjectId } from '../api.ts';
import { ButtonLink } from '../links.tsx';
import { useCodes } from './calls.ts';
import { CodeRow } from './code-row.tsx';
import { promocodeTexts } from './texts.ts';

type Shown = { group: string; status: 'ISSUED' | undefined; offset: number };

/** The codes of a group: available ones in the order of issue, or issued ones. */
export function Codes({ group, status, offset }: Shown) {
  const t = useTexts(promocodeTexts);
  const project = useProjectId();
  const navigate = useNavigate();
  const [code, setCode] = useState('');
  const codes = useCodes(group, { status, code, offset });
  const here = { to: '/$project/promocodes/$group/', params: { project, group } } as const;
  return (
    <section aria-label={t.codes}>
      <Group justify="space-between" align="flex-end" mb="md">
        <StatusLinks group={group} status={status} />
        <FindCode
          onFind={(wanted) => {
            setCode(wanted);
            void navigate({ ...here, search: { status } });
          }}
        />
      </Group>
      {codes.isPending && <Loading />}
      {codes.isError && <LoadProblem error={codes.error} onRetry={codes.refetch} />}
      {codes.data?.count === 0 && <NoCodes isSearch={code !== ''} status={status} />}
      {codes.data && codes.data.count > 0 && (
        <>
          <CodesTable codes={codes.data.results} />
          <Pager
            count={codes.data.count}
            offset={offset}
            onMove={(to) => navigate({ ...here, search: { status, offset: to || undefined } })}
          />
        </>
      )}
    </section>
  );
}

function StatusLinks({ group, status }: Pick<Shown, 'group' | 'status'>) {
  const t = useTexts(promocodeTexts);
  const project = useProjectId();
  const here = { to: '/$project/promocodes/$group/', params: { project, group } } as const;
  return (
    <Group component="nav" aria-label={t.status} gap="xs">
      <ButtonLink
        {...here}
        variant={status ? 'default' : 'filled'}
        aria-current={status ? undefined : 'page'}
      >
        {t.available}
      </ButtonLink>
      <ButtonLink
        {...here}
        search={{ status: 'ISSUED' }}
        variant={status ? 'filled' : 'default'}
        aria-current={status ? 'page' : undefined}
      >
        {t.issued}
      </ButtonLink>
    </Group>
  );
}

function CodesTable({ codes }: { codes: readonly GroupCode[] }) {
  const t = useTexts(promocodeTexts);
  const words = useTexts(common);
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table verticalSpacing="xs" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.code}</Table.Th>
            <Table.Th>{t.issuedTo}</Table.Th>
            <Table.Th>{t.issuedAt}</Table.Th>
            <Table.Th>{t.expires}</Table.Th>
            <Table.Th ta="right">{words.actions}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {codes.map((one) => (
            <CodeRow key={one.uuid} code={one} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function FindCode({ onFind }: { onFind(code: string): void }) {
  const t = useTexts(promocodeTexts);
  const [typed, setTyped] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onFind(typed.trim());
      }}
    >
      <TextInput
        type="search"
        label={t.findCode}
        description={t.findCodeHint}
        inputWrapperOrder={['label', 'input', 'description']}
        maxLength={1_024}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          if (value === '') onFind('');
        }}
      />
    </form>
  );
}

function NoCodes({ isSearch, status }: { isSearch: boolean; status: 'ISSUED' | undefined }) {
  const t = useTexts(promocodeTexts);
  if (isSearch) return <Empty icon={<IconTicketOff />} title={t.notFound} />;
  return (
    <Empty icon={<IconTicketOff />} title={status ? t.noIssued : t.noAvailable}>
      <Text>{status ? t.noIssuedHint : t.noAvailableHint}</Text>
    </Empty>
  );
}
