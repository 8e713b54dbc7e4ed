import { Alert, Button, FileInput, Group, Progress, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { CodesImported } from '../../../../src/people/console/promocodes/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { useApi } from '../api.ts';
import { useRefresh } from './calls.ts';
import { linesOfFile, linesOfText } from './import-lines.ts';
import { ImportOutcome } from './import-outcome.tsx';
import { lastMomentOf } from './last-moment.ts';
import { makingTexts } from './making-texts.ts';
import { type Outcome, runImport } from './run-import.ts';
import { promocodeTexts } from './texts.ts';
import { useStop } from './use-stop.ts';

type Values = { list: string; file: File | null; expires_at: string };

/** Imports codes from a pasted list or a file, in blocks while reading. */
export function ImportForm({ group }: { group: string }) {
  const t = useTexts(makingTexts);
  const words = useTexts(promocodeTexts);
  const { form, outcome, share, busy, problem, submit, stop } = useImporting(group);
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="sm">
        <Textarea
          label={t.list}
          rows={6}
          data-autofocus
          disabled={form.values.file !== null}
          {...form.getInputProps('list')}
        />
        <FileInput
          label={t.file}
          description={t.fileHint}
          placeholder={t.choose}
          styles={{ placeholder: { color: 'var(--mantine-color-dimmed)' } }}
          accept=".csv,.txt,text/csv,text/plain"
          clearable
          clearButtonProps={{ 'aria-label': t.again }}
          {...form.getInputProps('file')}
        />
        <TextInput
          type="date"
          label={t.until}
          description={t.untilHint}
          {...form.getInputProps('expires_at')}
        />
        {problem && (
          <Alert color="red" role="alert" title={problem}>
            {outcome ? t.broken : null}
          </Alert>
        )}
        {busy && <Progress value={share * 100} aria-label={words.import} animated />}
        {outcome && <ImportOutcome outcome={outcome} />}
        <Group justify="flex-end">
          {busy && (
            <Button variant="default" onClick={stop}>
              {t.stop}
            </Button>
          )}
          <Button type="submit" loading={busy}>
            {t.start}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Sends what is read, block by block, and tells how far it is. */
function useImporting(group: string) {
  const t = useTexts(makingTexts);
  const api = useApi();
  const refresh = useRefresh();
  const form = useForm<Values>({ initialValues: { list: '', file: null, expires_at: '' } });
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [share, setShare] = useState(0);
  const { stopped, stop } = useStop();

  const { busy, problem, submit } = useSubmit(
    form,
    async ({ list, file, expires_at }: Values) => {
      if (!file && list.trim() === '') return form.setFieldError('list', t.nothing);
      stopped.current = false;
      setShare(0);
      setOutcome(null);
      let read = 0;
      const note = (bytes: number) => {
        read += bytes;
      };
      const lines = file ? linesOfFile(file, note) : linesOfText(list);
      const send = (body: object) => api.post<CodesImported>(`promocode-groups/${group}/import/`, body);
      try {
        for await (const soFar of runImport(lines, lastMomentOf(expires_at), send)) {
          setOutcome(soFar);
          setShare(file ? read / file.size : 1);
          if (stopped.current) break;
        }
      } finally {
        await refresh();
      }
    },
    { quiet: true },
  );
  return { form, outcome, share, busy, problem, submit, stop };
}
