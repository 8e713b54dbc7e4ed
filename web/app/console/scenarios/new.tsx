import { Button, FileButton, Group, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { SavedScenario } from '../../../../src/people/console/scenarios/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useLanguage, useTexts } from '../../shared/language.tsx';
import { PageHead } from '../../shared/page-parts.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { useApi, useProjectId } from '../api.ts';
import { type ExampleKey, exampleKeys, examples } from './examples/index.ts';
import { format, nameIn, renamed } from './source.ts';
import { newTexts } from './texts.ts';

type Begin = ExampleKey | 'file';

/** `/console/<project>/scenarios/new/`: from an example or a file. */
export default function NewScenario() {
  const t = useTexts(newTexts);
  const { language } = useLanguage();
  const { form, fileName, begin, read, busy, problem, submit } = useBeginning();
  return (
    <>
      <PageHead title={t.title} lead={t.lead} />
      <form onSubmit={form.onSubmit(submit)}>
        <Stack maw={900}>
          <Radio.Group
            label={t.begin}
            value={form.values.begin}
            onChange={begin}
            error={form.errors.begin}
            required
          >
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" my="xs">
              {exampleKeys.map((key) => {
                const { title, hint } = examples[key][language];
                return <Radio key={key} value={key} label={title} description={hint} />;
              })}
              <Radio value="file" label={t.file} description={t.fileHint} />
            </SimpleGrid>
          </Radio.Group>
          {form.values.begin === 'file' && (
            <Group>
              <FileButton accept="application/json,.json" onChange={read}>
                {(props) => (
                  <Button variant="default" {...props}>
                    {t.chooseFile}
                  </Button>
                )}
              </FileButton>
              <Text size="sm">{fileName}</Text>
            </Group>
          )}
          <TextInput
            label={t.name}
            description={t.nameHint}
            required
            maxLength={255}
            {...form.getInputProps('name')}
          />
          <FormProblem text={problem} />
          <Group>
            <Button type="submit" loading={busy}>
              {t.create}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

/** What the scenario begins with; its name follows until somebody types one. */
function useBeginning() {
  const t = useTexts(newTexts);
  const { language } = useLanguage();
  const [file, setFile] = useState<{ name: string; source: string } | null>(null);
  const nameOf = (begin: Begin) =>
    begin === 'file' ? (nameIn(file?.source ?? '') ?? '') : examples[begin][language].scenario.name;
  const form = useForm<{ name: string; begin: Begin }>({
    initialValues: { name: nameOf('empty'), begin: 'empty' },
  });
  const create = useCreate();
  const { busy, problem, submit } = useSubmit<typeof form.values>(
    form,
    async ({ name, begin }) => {
      if (begin !== 'file') {
        const { scenario, script } = examples[begin][language];
        await create(format(JSON.stringify({ ...scenario, name })), { name: t.ownTest, script });
      } else if (file) {
        await create(renamed(file.source, name));
      } else {
        form.setFieldError('begin', t.noFile);
      }
    },
    { quiet: true },
  );
  function begin(from: string) {
    const chosen = from === 'file' ? from : exampleKeys.find((key) => key === from);
    if (!chosen) return;
    const isUntouched = form.values.name === '' || form.values.name === nameOf(form.values.begin);
    form.setValues({ begin: chosen, ...(isUntouched && { name: nameOf(chosen) }) });
  }
  async function read(chosen: File | null) {
    if (!chosen) return;
    const source = await chosen.text();
    const name = nameIn(source);
    setFile({ name: chosen.name, source });
    form.setValues({ begin: 'file', ...(name !== null && { name }) });
    if (name === null) form.setFieldError('begin', t.notJson);
  }
  return { form, fileName: file?.name, begin, read, busy, problem, submit };
}

/** Creates the scenario and its test, if any, and opens it. */
function useCreate() {
  const api = useApi();
  const project = useProjectId();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async (source: string, test?: { name: string; script: object }) => {
    const { id } = await api.post<SavedScenario>('scenarios/', { source });
    if (test) await api.post(`scenarios/${id}/tests/`, test);
    await queries.invalidateQueries({ queryKey: [project, 'scenarios'] });
    await navigate({ to: '/$project/scenarios/$scenario/', params: { project, scenario: String(id) } });
  };
}
