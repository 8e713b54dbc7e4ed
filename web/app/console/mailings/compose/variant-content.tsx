import { Select, Textarea, TextInput } from '@mantine/core';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import { abTestTexts } from './ab-test-texts.ts';
import { saysScenario, saysTemplate, saysText } from './draft.ts';
import type { DraftForm } from './form.tsx';

type Props = { form: DraftForm; choices: Choices; index: number; letter: string };

/** What another variant says, in the kind that the mailing has. */
export function VariantContent(props: Props) {
  const t = useTexts(abTestTexts);
  const { form, choices, index, letter } = props;
  return (
    <>
      {saysTemplate(form.values) && <VariantTemplate {...props} />}
      {saysText(form.values) && (
        <Textarea
          label={t.textOf(letter)}
          autosize
          minRows={3}
          maxRows={16}
          {...form.getInputProps(`variants.${index}.text`)}
        />
      )}
      {saysScenario(form.values) && (
        <Select
          label={t.scenarioOf(letter)}
          searchable
          data={choices.scenarios.map(({ id, name }) => ({ value: String(id), label: name }))}
          {...form.getInputProps(`variants.${index}.node`)}
          onChange={(node) => form.setFieldValue(`variants.${index}.node`, node ?? '')}
        />
      )}
    </>
  );
}

function VariantTemplate({ form, choices: { templates }, index, letter }: Props) {
  const t = useTexts(abTestTexts);
  const variant = form.values.variants[index];
  const chosen = templates.find(({ pid }) => pid === variant?.template_whatsapp);
  function choose(pid: string | null) {
    const names = templates.find((one) => one.pid === pid)?.variables ?? [];
    form.setFieldValue(`variants.${index}.template_whatsapp`, pid ?? '');
    form.setFieldValue(
      `variants.${index}.template_variables`,
      Object.fromEntries(names.map((name) => [name, { type: 'GLOBAL' as const, value: '' }])),
    );
  }
  return (
    <>
      <Select
        label={t.templateOf(letter)}
        searchable
        data={templates.map(({ pid }) => pid)}
        value={variant?.template_whatsapp ?? ''}
        onChange={choose}
      />
      {chosen?.variables.map((name) => (
        <TextInput
          key={name}
          label={t.valueOf(name, letter)}
          value={variant?.template_variables[name]?.value ?? ''}
          onChange={({ currentTarget: { value } }) =>
            form.setFieldValue(`variants.${index}.template_variables`, {
              ...variant?.template_variables,
              [name]: { type: 'GLOBAL', value },
            })
          }
        />
      ))}
    </>
  );
}
