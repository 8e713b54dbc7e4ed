import { ActionIcon, Button, Fieldset, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { Channel } from '../../../../src/people/console/channels/schema.ts';
import type { TemplateSubmit } from '../../../../src/people/console/templates/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useLanguage, useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { useApi, useProjectId } from '../api.ts';
import { BodyField } from './body-field.tsx';
import { TemplatePreview } from './template-preview.tsx';
import { templateTexts } from './texts.ts';

const mostButtons = 10;

type Draft = Omit<TemplateSubmit, 'examples' | 'buttons'> & {
  examples: Readonly<Record<string, string>>;
  /** A button with an empty `url` is an answer. */
  buttons: { text: string; url: string }[];
};

type FormOf = ReturnType<typeof useForm<Draft>>;

type Props = { channels: readonly Channel[]; onDone(): void };

/** A new template for the approval of a channel's provider. */
export function SubmitForm({ channels, onDone }: Props) {
  const t = useTexts(templateTexts);
  const { language } = useLanguage();
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const form = useForm<Draft>({
    initialValues: {
      channel: channels[0]?.uuid ?? '',
      name: '',
      language,
      category: 'utility',
      body: '',
      examples: {},
      buttons: [],
    },
  });
  const { busy, problem, submit } = useSubmit<Draft>(form, async ({ buttons, ...draft }) => {
    const named = buttons.map(({ text, url }) => (url === '' ? { text } : { text, url }));
    await api.post('templates/submit/', { ...draft, buttons: named });
    await queries.invalidateQueries({ queryKey: [project, 'templates'] });
    onDone();
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Names form={form} channels={channels} />
        <BodyField input={form.getInputProps('body')} />
        <TemplatePreview
          body={form.values.body}
          samples={form.values.examples}
          onChange={(examples) => form.setFieldValue('examples', examples)}
          problems={problemsOf(form)}
        />
        <Buttons form={form} />
        <FormProblem text={problem} />
        <Group>
          <Button type="submit" loading={busy}>
            {t.submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Names({ form, channels }: { form: FormOf; channels: readonly Channel[] }) {
  const t = useTexts(templateTexts);
  return (
    <>
      {channels.length > 1 && (
        <Select
          label={t.channel}
          data={channels.map(({ uuid, name }) => ({ value: uuid, label: name }))}
          allowDeselect={false}
          {...form.getInputProps('channel')}
        />
      )}
      <TextInput
        label={t.pid}
        description={t.nameHint}
        required
        maxLength={255}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t.language}
          description={t.languageHint}
          required
          {...form.getInputProps('language')}
        />
        <Select
          label={t.category}
          description={t.categoryHint}
          data={[
            { value: 'utility', label: t.utility },
            { value: 'marketing', label: t.marketing },
          ]}
          allowDeselect={false}
          {...form.getInputProps('category')}
        />
      </Group>
    </>
  );
}

function Buttons({ form }: { form: FormOf }) {
  const t = useTexts(templateTexts);
  const { buttons } = form.values;
  return (
    <Fieldset legend={t.buttons}>
      <Stack gap="xs" align="flex-start">
        {buttons.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a button has no other name.
          <Group key={index} align="flex-end" gap="xs" wrap="nowrap" w="100%">
            <TextInput
              flex={1}
              label={t.buttonText}
              required
              maxLength={25}
              {...form.getInputProps(`buttons.${index}.text`)}
            />
            <TextInput
              flex={1}
              label={t.buttonLink}
              inputMode="url"
              {...form.getInputProps(`buttons.${index}.url`)}
            />
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t.removeButton}
              onClick={() => form.removeListItem('buttons', index)}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {buttons.length < mostButtons && (
          <Button
            variant="default"
            size="compact-md"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => form.insertListItem('buttons', { text: '', url: '' })}
          >
            {t.addButton}
          </Button>
        )}
      </Stack>
    </Fieldset>
  );
}

const problemsOf = ({ errors }: FormOf): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).flatMap(([name, text]) =>
      name.startsWith('examples.') ? [[name.slice('examples.'.length), String(text)]] : [],
    ),
  );
