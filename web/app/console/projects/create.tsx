import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { NewProject } from '../../../../src/people/console/projects/schema.ts';
import { createApi } from '../../shared/api.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { SecretText } from '../../shared/page-parts.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { root } from '../api.ts';
import { projectTexts } from './texts.ts';

type Made = { name: string; project: NewProject };

/** The form for a new project; afterwards it shows the key. */
export function CreateProject() {
  const t = useTexts(projectTexts);
  const [made, setMade] = useState<Made | null>(null);
  const form = useForm({ initialValues: { name: '' } });
  const { busy, problem, submit } = useSubmit(
    form,
    async ({ name }: typeof form.values) => {
      setMade({ name, project: await createApi(root).post<NewProject>('projects/', { name }) });
    },
    { quiet: true },
  );
  if (made) return <MadeProject made={made} />;
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack maw={480}>
        <TextInput label={t.name} maxLength={255} required {...form.getInputProps('name')} />
        <FormProblem text={problem} />
        <Group>
          <Button type="submit" loading={busy}>
            {t.create}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function MadeProject({ made: { name, project } }: { made: Made }) {
  const t = useTexts(projectTexts);
  const queries = useQueryClient();
  const navigate = useNavigate();
  async function open() {
    await queries.invalidateQueries({ queryKey: ['account'] });
    await navigate({ to: '/$project/', params: { project: project.uuid } });
  }
  return (
    <Stack maw={640} role="status">
      <Title order={2} size="h3">
        {t.made(name)}
      </Title>
      <Text>{t.key}</Text>
      <SecretText value={project.bot_key} />
      <Group>
        <Button onClick={open}>{t.open}</Button>
      </Group>
    </Stack>
  );
}
