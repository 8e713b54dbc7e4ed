import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import type { QuickAnswer, QuickAnswerWrite } from '../../../../src/people/chat-center/schema.ts';
import { FormButtons, FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useDesk } from '../desk.tsx';
import { composerTexts } from './texts.ts';

/** The form for a new or an existing quick answer. */
export function QuickAnswerForm({ answer, onDone }: { answer: QuickAnswer | null; onDone(): void }) {
  const t = useTexts(composerTexts);
  const words = useTexts(common);
  const { api, cache } = useDesk();
  const queries = useQueryClient();
  const form = useForm<QuickAnswerWrite>({
    initialValues: { title: answer?.title ?? '', text: answer?.text ?? '' },
  });
  const { busy, problem, submit } = useSubmit(
    form,
    async (values: QuickAnswerWrite) => {
      if (answer) await api.put(`quick-answers/${answer.uuid}/`, values);
      else await api.post('quick-answers/', values);
      await queries.invalidateQueries({ queryKey: cache.keys.quickAnswers });
      onDone();
    },
    { quiet: true },
  );
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <FormProblem text={problem} />
        <TextInput label={t.title} data-autofocus {...form.getInputProps('title')} />
        <Textarea label={t.text} autosize minRows={3} maxRows={12} {...form.getInputProps('text')} />
        <FormButtons action={words.save} busy={busy} onCancel={onDone} />
      </Stack>
    </form>
  );
}
