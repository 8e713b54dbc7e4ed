import { Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { useApi, useProjectId } from '../api.ts';
import { runnerTexts } from './runner-texts.ts';

/** Saves the current conversation as a test, with all its results. */
export function KeepTest({ scenarioId, script }: { scenarioId: string; script: () => object }) {
  const t = useTexts(runnerTexts);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const form = useForm({ initialValues: { name: '' } });
  const { busy, problem, submit } = useSubmit<{ name: string }>(form, async ({ name }) => {
    await api.post(`scenarios/${scenarioId}/tests/`, { name, script: script() });
    await queries.invalidateQueries({ queryKey: [project, 'scenarios', 'one', scenarioId] });
    form.reset();
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput flex={1} label={t.keepName} required maxLength={255} {...form.getInputProps('name')} />
        <Button type="submit" variant="default" loading={busy}>
          {t.keep}
        </Button>
      </Group>
      <FormProblem text={problem} mt="xs" />
    </form>
  );
}
