import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { ScenarioTest } from '../../../../src/people/console/scenarios/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { codeInput } from './code-input.ts';
import { format, jsonIn } from './source.ts';
import { testTexts } from './test-texts.ts';

/** Edits the script of a test. */
export function TestForm({ scenarioId, test }: { scenarioId: number; test: ScenarioTest }) {
  const t = useTexts(testTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { script: format(JSON.stringify(test.script)) },
    validate: {
      script: (text) => (typeof jsonIn(text) === 'object' && jsonIn(text) !== null ? null : t.notJson),
    },
  });
  const { busy, problem, submit } = useSubmit<{ script: string }>(form, async ({ script }) => {
    await api.post(`scenarios/${scenarioId}/tests/`, { name: test.name, script: jsonIn(script) });
    await queries.invalidateQueries({ queryKey: [project, 'scenarios', 'one', String(scenarioId)] });
    form.resetDirty();
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="xs">
        <Textarea
          label={t.script}
          description={t.scriptHint}
          autosize
          minRows={4}
          maxRows={16}
          styles={codeInput}
          {...form.getInputProps('script')}
        />
        <FormProblem text={problem} />
        <Group>
          <Button type="submit" size="xs" loading={busy} disabled={!form.isDirty()}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
