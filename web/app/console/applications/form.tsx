import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ApplicationCreate } from '../../../../src/people/console/applications/schema.ts';
import { FormButtons, FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { applicationTexts } from './texts.ts';

/** The name and the addresses of a new or existing application. */
export function ApplicationForm({
  initial,
  action,
  quiet = false,
  onSend,
  onCancel,
}: {
  initial: ApplicationCreate;
  action: string;
  quiet?: boolean;
  onSend: (application: ApplicationCreate) => Promise<unknown>;
  onCancel: () => void;
}) {
  const t = useTexts(applicationTexts);
  const words = useTexts(common);
  const form = useForm({
    initialValues: { name: initial.name, redirect_uris: initial.redirect_uris.join('\n') },
  });
  const { busy, problem, submit } = useSubmit(
    form,
    ({ name, redirect_uris }: typeof form.values) =>
      onSend({ name, redirect_uris: redirect_uris.split(/\s+/).filter((uri) => uri !== '') }),
    { quiet },
  );
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput
          label={words.name}
          maxLength={255}
          required
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Textarea
          label={t.redirects}
          description={t.redirectsHint}
          placeholder="https://crm.example.com/callback"
          autosize
          minRows={2}
          maxRows={8}
          required
          {...form.getInputProps('redirect_uris')}
        />
        <FormProblem text={problem} />
        <FormButtons action={action} busy={busy} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
