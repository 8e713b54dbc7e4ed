import { Button, Card, Group, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { Dictionary } from '../../../../src/people/console/dictionary/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi, useIsAdmin, useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { type DefinitionKind, useDefinitions } from './calls.ts';
import { DeleteDefinition } from './delete-definition.tsx';
import { dictionaryTexts } from './dictionary-texts.ts';

/** The tags or the attributes of the project. Administrators can change them; operators can only view them. */
export function Definitions({ kind }: { kind: DefinitionKind }) {
  const t = useTexts(dictionaryTexts);
  const definitions = useDefinitions(kind);
  const isAdmin = useIsAdmin();
  return (
    <Card withBorder component="section">
      <Title order={2} size="h4" mb="sm">
        {kind === 'tags' ? t.tags : t.attributes}
      </Title>
      {isAdmin && <AddForm kind={kind} />}
      {definitions.isPending && <Loading />}
      {definitions.isError && <LoadProblem error={definitions.error} onRetry={definitions.refetch} />}
      {definitions.data?.results.length === 0 && (
        <Text mt="md">{kind === 'tags' ? t.noTags : t.noAttributes}</Text>
      )}
      {definitions.data && definitions.data.results.length > 0 && (
        <DefinitionTable kind={kind} definitions={definitions.data} isAdmin={isAdmin} />
      )}
    </Card>
  );
}

function AddForm({ kind }: { kind: DefinitionKind }) {
  const t = useTexts(dictionaryTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { name: '' } });
  const { busy, problem, submit } = useSubmit(form, async ({ name }: { name: string }) => {
    await api.post(`${kind}/`, { name: name.trim() });
    form.reset();
    await queries.invalidateQueries({ queryKey: [project, kind] });
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Group align="flex-start" gap="sm">
        <TextInput
          label={kind === 'tags' ? t.addTag : t.addAttribute}
          flex={1}
          {...form.getInputProps('name')}
        />
        <Button type="submit" loading={busy} mt={25}>
          {words.add}
        </Button>
      </Group>
      <FormProblem text={problem} mt="xs" />
    </form>
  );
}

type Listed = { kind: DefinitionKind; definitions: Dictionary; isAdmin: boolean };

function DefinitionTable({ kind, definitions, isAdmin }: Listed) {
  const t = useTexts(dictionaryTexts);
  const words = useTexts(common);
  const { number } = useFormat();
  const { results, counted_among, total } = definitions;
  return (
    <Stack gap={0} mt="md">
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.name}</Table.Th>
            <Table.Th ta="right">
              {counted_among < total ? t.among(number(counted_among)) : t.profiles}
            </Table.Th>
            {isAdmin && <Table.Th ta="right">{words.actions}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {results.map(({ name, profiles }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" style={{ overflowWrap: 'anywhere' }}>
                {name}
              </Table.Th>
              <Table.Td ta="right">
                <Carriers kind={kind} name={name} count={profiles} />
              </Table.Td>
              {isAdmin && (
                <Table.Td ta="right">
                  <DeleteDefinition kind={kind} name={name} count={profiles} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

/** The number of profiles. For a tag it links to them. */
function Carriers({ kind, name, count }: { kind: DefinitionKind; name: string; count: number }) {
  const t = useTexts(dictionaryTexts);
  const project = useProjectId();
  const { number } = useFormat();
  if (kind === 'attributes' || count === 0) return number(count);
  return (
    <TextLink
      to="/$project/profiles/"
      params={{ project }}
      search={{ tag: name }}
      aria-label={`${number(count)}: ${t.show(name)}`}
    >
      {number(count)}
    </TextLink>
  );
}
