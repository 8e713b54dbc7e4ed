import { Group, Paper, Stack, Table, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AuditRecord } from '../../../../src/clients/profiles/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Empty, Loading } from '../../shared/page-parts.tsx';
import { type Page, Pager, pageSize } from '../../shared/pager.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useApi, useProjectId } from '../api.ts';
import { changesTexts } from './changes-texts.ts';
import { shown } from './form.ts';
import { profileTexts } from './texts.ts';

/** The changes of a profile with their authors, latest first. */
export function Changes({ profile }: { profile: string }) {
  const t = useTexts(profileTexts);
  const api = useApi();
  const project = useProjectId();
  const [offset, setOffset] = useState(0);
  const changes = useQuery({
    queryKey: [project, 'profile-changes', profile, offset],
    queryFn: ({ signal }) =>
      api.get<Page<AuditRecord>>('profiles/audit/', { profile, limit: pageSize, offset }, signal),
  });
  if (changes.isPending) return <Loading />;
  if (changes.isError) return <LoadProblem error={changes.error} onRetry={changes.refetch} />;
  const { count, results } = changes.data;
  if (count === 0) {
    return (
      <Empty icon={<IconHistory />} title={t.noChanges}>
        <Text>{t.noChangesHint}</Text>
      </Empty>
    );
  }
  return (
    <>
      <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
        {results.map((record) => (
          <Change key={record.uuid} record={record} />
        ))}
      </Stack>
      <Pager count={count} offset={offset} onMove={setOffset} />
    </>
  );
}

const wordFor = (words: Readonly<Record<string, string>>, name: string): string =>
  Object.hasOwn(words, name) ? (words[name] ?? name) : name;

function Change({ record: { action, actor, changes, timestamp } }: { record: AuditRecord }) {
  const t = useTexts(changesTexts);
  const format = useFormat();
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" gap="xs" mb={4}>
        <Text fw={600} size="sm">
          {t.by(t.actions[action], wordFor(t.actors, actor.type), actor.name)}
        </Text>
        <Text size="sm" c="dimmed" title={format.moment(timestamp)}>
          {format.ago(timestamp)}
        </Text>
      </Group>
      <Table layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.field}</Table.Th>
            <Table.Th>{t.before}</Table.Th>
            <Table.Th>{t.after}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {linesOf(changes).map(({ field, name, before, after }) => (
            <Table.Tr key={`${field} ${name}`}>
              <Table.Th scope="row">{name || wordFor(t.fields, field)}</Table.Th>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{before || t.empty}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{after || t.empty}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}

type Value = AuditRecord['changes'][string] | undefined;
type Line = { field: string; name: string; before: string; after: string };

/** One line per field, and one per changed attribute. */
const linesOf = (changes: AuditRecord['changes']): Line[] =>
  Object.entries(changes).flatMap(([field, change]) => {
    const [before, after]: Value[] = Array.isArray(change) ? change : [];
    if (field !== 'attrs') return [{ field, name: '', before: inWords(before), after: inWords(after) }];
    const [old, current] = [attributesIn(before), attributesIn(after)];
    return [...new Set([...Object.keys(old), ...Object.keys(current)])]
      .map((name) => ({ field, name, before: inWords(old[name]), after: inWords(current[name]) }))
      .filter((line) => line.before !== line.after);
  });

const inWords = (value: Value): string => (Array.isArray(value) ? value.map(shown).join(', ') : shown(value));

const attributesIn = (value: Value): Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
