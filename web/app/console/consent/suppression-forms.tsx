import { Alert, Button, FileInput, Group, List, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { platforms } from '../../../../src/channels/contract/platforms.ts';
import type { SuppressionsImported } from '../../../../src/people/console/consent/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi } from '../api.ts';
import { consentTexts } from './texts.ts';

type Values = { address: string; platform: string | null };

export function AddForm({ onAdded }: { onAdded(): Promise<unknown> }) {
  const t = useTexts(consentTexts);
  const words = useTexts(common);
  const api = useApi();
  const form = useForm<Values>({ initialValues: { address: '', platform: null } });
  const { busy, problem, submit } = useSubmit(form, async (values: Values) => {
    await api.post('suppressions/', values);
    await onAdded();
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput
          label={t.address}
          description={t.addressHint}
          maxLength={512}
          required
          data-autofocus
          {...form.getInputProps('address')}
        />
        <Select
          label={t.platform}
          description={t.platformHint}
          placeholder={t.everywhere}
          data={[...platforms]}
          clearable
          {...form.getInputProps('platform')}
        />
        <FormProblem text={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {words.add}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

export function ImportForm({ onImported }: { onImported(): Promise<unknown> }) {
  const t = useTexts(consentTexts);
  const api = useApi();
  const [told, setTold] = useState<SuppressionsImported | null>(null);
  const form = useForm<{ file: File | null }>({ initialValues: { file: null } });
  const { busy, problem, submit } = useSubmit(
    form,
    async ({ file }: typeof form.values) => {
      if (!file) return form.setFieldError('file', t.nothing);
      setTold(null);
      const headers = { 'content-type': 'text/csv' };
      const answer = await api.open('POST', 'suppressions/import/', { body: file, headers });
      setTold(await answer.json());
      await onImported();
    },
    { quiet: true },
  );
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <FileInput
          label={t.file}
          description={t.fileHint}
          placeholder={t.choose}
          accept=".csv,.txt,text/csv,text/plain"
          styles={{ placeholder: { color: 'var(--mantine-color-dimmed)' } }}
          {...form.getInputProps('file')}
        />
        <FormProblem text={problem} />
        {told && <Told told={told} />}
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t.import}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Longer lists help nobody in a dialog. */
const mostShown = 20;

function Told({ told: { added, known, problem_count, problems } }: { told: SuppressionsImported }) {
  const t = useTexts(consentTexts);
  const { number } = useFormat();
  return (
    <Alert role="status" color={problem_count > 0 ? 'yellow' : 'green'}>
      <Text fw={600}>{t.imported(number(added))}</Text>
      {known > 0 && <Text size="sm">{t.known(number(known))}</Text>}
      {problem_count > 0 && (
        <>
          <Text size="sm">{t.bad(number(problem_count))}</Text>
          <List size="sm">
            {problems.slice(0, mostShown).map(({ line, text, reason }) => (
              <List.Item key={line}>{t.badLine(number(line), text, reason)}</List.Item>
            ))}
          </List>
        </>
      )}
    </Alert>
  );
}
