import { Button, Group, PasswordInput, Stack, Table, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { Secrets as Page, Secret, SecretPut } from '../../../../src/people/console/secrets/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { settingsTexts } from './texts.ts';

/** Secrets for the requests of scenarios. Their values are never shown. */
export function Secrets() {
  const t = useTexts(settingsTexts);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const key = [project, 'secrets'];
  const secrets = useQuery({ queryKey: key, queryFn: () => api.get<Static<typeof Page>>('secrets/') });
  const changed = () => queries.invalidateQueries({ queryKey: key });
  return (
    <Stack maw={640} mt="xl">
      <Title order={2} size="h3">
        {t.secrets}
      </Title>
      <Text>{t.secretsLead}</Text>
      {secrets.isPending && <Loading />}
      {secrets.isError && <LoadProblem error={secrets.error} onRetry={secrets.refetch} />}
      {secrets.data && secrets.data.results.length > 0 && (
        <List
          secrets={secrets.data.results}
          onDelete={(name) => api.delete(`secrets/${name}/`).then(changed)}
        />
      )}
      <SecretForm
        onSet={(name, body) => api.put(`secrets/${encodeURIComponent(name)}/`, body).then(changed)}
      />
    </Stack>
  );
}

function List({
  secrets,
  onDelete,
}: {
  secrets: readonly Secret[];
  onDelete(name: string): Promise<unknown>;
}) {
  const t = useTexts(settingsTexts);
  const words = useTexts(common);
  const { moment } = useFormat();
  return (
    <Table aria-label={t.secrets}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.secretName}</Table.Th>
          <Table.Th>{t.secretHost}</Table.Th>
          <Table.Th>{t.secretSet}</Table.Th>
          <Table.Th ta="right">{words.actions}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {secrets.map(({ name, host, set_at }) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td>{host}</Table.Td>
            <Table.Td>{moment(set_at)}</Table.Td>
            <Table.Td ta="right">
              <ConfirmButton
                label={t.secretDelete}
                title={t.secretDeleteAsk(name)}
                size="xs"
                onConfirm={() => onDelete(name)}
              >
                {t.secretDeleteText}
              </ConfirmButton>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

const empty = { name: '', host: '', value: '' };

function SecretForm({ onSet }: { onSet(name: string, body: SecretPut): Promise<unknown> }) {
  const t = useTexts(settingsTexts);
  const form = useForm({ initialValues: empty });
  const { busy, problem, submit } = useSubmit(form, async ({ name, ...body }: typeof empty) => {
    await onSet(name, body);
    form.setValues(empty);
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput
          label={t.secretName}
          description={t.secretNameHint}
          pattern="[A-Za-z][A-Za-z0-9_]{0,63}"
          required
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t.secretHost}
          description={t.secretHostHint}
          required
          {...form.getInputProps('host')}
        />
        <PasswordInput label={t.secretValue} autoComplete="off" required {...form.getInputProps('value')} />
        <FormProblem text={problem} />
        <Group>
          <Button type="submit" variant="default" loading={busy}>
            {t.secretSave}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
