import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedTemplate, TemplateCreate } from '../../../../src/people/console/templates/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useFormat, useLanguage, useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { BodyField } from './body-field.tsx';
import { type Samples, TemplatePreview } from './template-preview.tsx';
import { templateTexts } from './texts.ts';

const approvals = ['approved', 'pending', 'rejected'] as const;

/** The form for a new or existing template. */
export function TemplateForm({ template, onDone }: { template: ListedTemplate | null; onDone(): void }) {
  const t = useTexts(templateTexts);
  const words = useTexts(common);
  const { language } = useLanguage();
  const api = useApi();
  const refresh = useRefresh();
  const form = useForm<TemplateCreate>({
    initialValues: template ? pick(template) : { pid: '', body: '', language, approval: 'approved' },
  });
  const [samples, setSamples] = useState<Samples>({});
  const { busy, problem, submit } = useSubmit<TemplateCreate>(form, async ({ pid, ...rest }) => {
    if (template) await api.put(pathOf(template), rest);
    else await api.post('templates/', { pid, ...rest });
    await refresh();
    onDone();
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <Wording form={form} isNew={!template} />
        <TemplatePreview body={form.values.body} samples={samples} onChange={setSamples} />
        <LanguageAndApproval form={form} />
        <FormProblem text={problem} />
        {template && <Text size="sm">{t.keepsWords}</Text>}
        <Group justify="space-between">
          <Button type="submit" loading={busy}>
            {words.save}
          </Button>
          {template && <Remove template={template} onDone={onDone} />}
        </Group>
      </Stack>
    </form>
  );
}

type Fields = { form: UseFormReturnType<TemplateCreate> };

function Wording({ form, isNew }: Fields & { isNew: boolean }) {
  const t = useTexts(templateTexts);
  return (
    <>
      {isNew && (
        <TextInput
          label={t.pid}
          description={t.pidHint}
          required
          maxLength={255}
          data-autofocus
          {...form.getInputProps('pid')}
        />
      )}
      <BodyField input={form.getInputProps('body')} />
    </>
  );
}

function LanguageAndApproval({ form }: Fields) {
  const t = useTexts(templateTexts);
  return (
    <Group grow align="flex-start">
      <TextInput
        label={t.language}
        description={t.languageHint}
        required
        {...form.getInputProps('language')}
      />
      <Select
        label={t.approval}
        description={'\u00a0'}
        data={approvals.map((approval) => ({ value: approval, label: t[approval] }))}
        allowDeselect={false}
        {...form.getInputProps('approval')}
      />
    </Group>
  );
}

const pick = ({ pid, body, language, approval }: ListedTemplate): TemplateCreate => ({
  pid,
  body,
  language,
  approval,
});

const pathOf = ({ pid }: ListedTemplate): string => `templates/${encodeURIComponent(pid)}/`;

function useRefresh() {
  const project = useProjectId();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [project, 'templates'] });
}

function Remove({ template, onDone }: { template: ListedTemplate; onDone(): void }) {
  const t = useTexts(templateTexts);
  const { number } = useFormat();
  const api = useApi();
  const refresh = useRefresh();
  if (template.waiting_mailings > 0) {
    return (
      <Text size="sm" maw={320}>
        {t.awaited(number(template.waiting_mailings))}
      </Text>
    );
  }
  return (
    <ConfirmButton
      label={t.delete}
      title={t.deleteTitle(template.pid)}
      onConfirm={async () => {
        await api.delete(pathOf(template));
        await refresh();
        onDone();
      }}
    >
      {t.deleteText}
    </ConfirmButton>
  );
}
