import { Alert, Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';

type Field<Name extends string> = {
  name: Name;
  label: string;
  hint?: string;
  initial?: string;
  button: string;
  send(value: string): Promise<unknown>;
};

/** A form with one field, which the server calls `name`. */
export function OneField<Name extends string>({
  name,
  label,
  hint,
  initial = '',
  button,
  send,
}: Field<Name>) {
  const t = useTexts(common);
  const form = useForm<Record<string, string>>({ initialValues: { [name]: initial } });
  const { busy, problem, submit } = useSubmit(form, (values: Record<string, string>) =>
    send((values[name] ?? '').trim()),
  );
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput label={label} description={hint} data-autofocus {...form.getInputProps(name)} />
        {problem && (
          <Alert color="red" role="alert" title={t.failed}>
            {problem}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {button}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
