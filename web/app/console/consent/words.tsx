import { Alert, Button, Fieldset, Group, Stack, Switch, TagsInput, Text, Textarea } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Settings } from '../../../../src/people/console/settings/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { consentTexts } from './texts.ts';

type Values = Pick<Settings, 'leave_words' | 'return_words' | 'leave_answer' | 'return_answer'>;

/** The words by which clients leave and come back, and their answers. */
export function Words() {
  const api = useApi();
  const project = useProjectId();
  const settings = useQuery({
    queryKey: [project, 'settings'],
    queryFn: () => api.get<Settings>('settings/'),
    refetchOnWindowFocus: false,
  });
  if (settings.isPending) return <Loading />;
  if (settings.isError) return <LoadProblem error={settings.error} onRetry={settings.refetch} />;
  return <WordsForm key={project} settings={settings.data} />;
}

function WordsForm({ settings }: { settings: Settings }) {
  const t = useTexts(consentTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const form = useForm<Values>({ initialValues: valuesOf(settings) });
  const { busy, problem, submit } = useSubmit(form, async (values: Values) => {
    const saved = await api.patch<Settings>('settings/', values);
    queries.setQueryData([project, 'settings'], saved);
    form.setValues(valuesOf(saved));
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack maw={640}>
        <Text>{t.wordsLead}</Text>
        {settings.taken_words.length > 0 && (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
            <Text fw={600} size="sm">
              {t.takenWords}
            </Text>
            {settings.taken_words.map(({ word, scenario }) => (
              <Text size="sm" key={`${word} ${scenario}`}>
                {t.takenWord(word, scenario)}
              </Text>
            ))}
          </Alert>
        )}
        <WordsPart form={form} legend={t.leaving} words="leave_words" answer="leave_answer" />
        <WordsPart form={form} legend={t.returning} words="return_words" answer="return_answer" />
        <FormProblem text={problem} />
        <Group>
          <Button type="submit" loading={busy}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const valuesOf = ({ leave_words, return_words, leave_answer, return_answer }: Settings): Values => ({
  leave_words,
  return_words,
  leave_answer,
  return_answer,
});

type Part = {
  form: UseFormReturnType<Values>;
  legend: string;
  words: 'leave_words' | 'return_words';
  answer: 'leave_answer' | 'return_answer';
};

function WordsPart({ form, legend, words, answer }: Part) {
  const t = useTexts(consentTexts);
  const given = form.values[answer];
  return (
    <Fieldset legend={legend}>
      <Stack>
        <TagsInput label={t.words} acceptValueOnBlur maxTags={20} {...form.getInputProps(words)} />
        <Switch
          label={t.ownAnswer}
          checked={given !== null}
          onChange={({ currentTarget: { checked } }) => form.setFieldValue(answer, checked ? '' : null)}
        />
        {given !== null && (
          <Textarea
            label={t.answer}
            description={t.answerHint}
            maxLength={1_000}
            {...form.getInputProps(answer)}
          />
        )}
      </Stack>
    </Fieldset>
  );
}
