import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import type { Draft } from './draft.ts';
import type { DraftForm } from './form.tsx';
import { composeTexts } from './texts.ts';

/** A template and the sources of its variables. */
export function TemplateFields({ form, choices: { templates } }: { form: DraftForm; choices: Choices }) {
  const t = useTexts(composeTexts);
  const chosen = templates.find(({ pid }) => pid === form.values.template_whatsapp);
  function choose(pid: string | null) {
    const template = templates.find((one) => one.pid === pid);
    const kept = form.values.template_variables;
    form.setValues({
      template_whatsapp: pid ?? '',
      template_variables: Object.fromEntries(
        (template?.variables ?? []).map((name) => [name, kept[name] ?? { type: 'GLOBAL', value: '' }]),
      ),
    });
  }
  return (
    <Stack gap="sm">
      <Select
        label={t.template}
        searchable
        data={templates.map(({ pid }) => pid)}
        nothingFoundMessage={t.noTemplates}
        description={templates.length === 0 ? t.noTemplates : undefined}
        {...form.getInputProps('template_whatsapp')}
        onChange={choose}
      />
      {chosen && <Text style={{ whiteSpace: 'pre-wrap' }}>{chosen.body}</Text>}
      {chosen?.variables.map((name) => (
        <Variable key={name} name={name} form={form} />
      ))}
    </Stack>
  );
}

function Variable({ name, form }: { name: string; form: DraftForm }) {
  const t = useTexts(composeTexts);
  const { audience, template_variables } = form.values;
  const variable = template_variables[name] ?? { type: 'GLOBAL', value: '' };
  const change = (part: Partial<Draft['template_variables'][string]>) =>
    form.setFieldValue('template_variables', { ...template_variables, [name]: { ...variable, ...part } });
  const error =
    form.errors[`template_variables.${name}`] ??
    form.errors[`template_variables.${name}.value`] ??
    form.errors[`template_variables.${name}.type`];
  const hasFile = audience === 'clients' || audience === 'phones';
  return (
    <Group align="flex-start" wrap="nowrap">
      {(hasFile || variable.type === 'FILE') && (
        <Select
          label={t.source(name)}
          data={[
            { value: 'GLOBAL', label: t.sameForAll },
            { value: 'FILE', label: t.fromFile },
          ]}
          value={variable.type}
          onChange={(type) => change({ type: type === 'FILE' ? 'FILE' : 'GLOBAL' })}
          allowDeselect={false}
          error={variable.type === 'FILE' && error}
        />
      )}
      {variable.type === 'GLOBAL' && (
        <TextInput
          label={t.value(name)}
          flex={1}
          value={variable.value}
          onChange={({ currentTarget }) => change({ value: currentTarget.value })}
          error={error}
        />
      )}
    </Group>
  );
}
