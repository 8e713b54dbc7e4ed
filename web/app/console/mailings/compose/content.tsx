import { Button, Group, Radio, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import { type Draft, saysScenario, saysTemplate, saysText } from './draft.ts';
import type { DraftForm } from './form.tsx';
import { newId } from './id.ts';
import { TemplateFields } from './template.tsx';
import { TextField } from './text-field.tsx';
import { composeTexts } from './texts.ts';

const kinds: readonly Draft['kind'][] = ['TEXT', 'NODE', 'TEMPLATE_WHATSAPP', 'MIXED'];

/** The content of the message. */
export function ContentFields({ form, choices }: { form: DraftForm; choices: Choices }) {
  const t = useTexts(composeTexts);
  const { values } = form;
  return (
    <Stack>
      <Radio.Group label={t.kind} {...form.getInputProps('kind')}>
        <Group mt="xs" gap="md">
          {kinds.map((kind) => (
            <Radio key={kind} value={kind} label={t.kinds[kind]} />
          ))}
        </Group>
      </Radio.Group>
      {saysTemplate(values) && <TemplateFields form={form} choices={choices} />}
      {values.kind === 'MIXED' && (
        <Stack gap={4}>
          <Text size="sm" fw={500}>
            {t.elsewhere}
          </Text>
          <SegmentedControl
            aria-label={t.elsewhere}
            data={[
              { value: 'text', label: t.kinds.TEXT },
              { value: 'node', label: t.kinds.NODE },
            ]}
            {...form.getInputProps('elsewhere')}
          />
        </Stack>
      )}
      {saysText(values) && <TextField form={form} choices={choices} />}
      {saysScenario(values) && <ScenarioFields form={form} choices={choices} />}
    </Stack>
  );
}

function ScenarioFields({ form, choices: { scenarios } }: { form: DraftForm; choices: Choices }) {
  const t = useTexts(composeTexts);
  const { node_get_params } = form.values;
  return (
    <Stack gap="sm">
      <Select
        label={t.scenario}
        searchable
        data={scenarios.map(({ id, name }) => ({ value: String(id), label: name }))}
        nothingFoundMessage={t.noScenarios}
        description={scenarios.length === 0 ? t.noScenarios : undefined}
        {...form.getInputProps('node')}
        onChange={(node) => form.setFieldValue('node', node ?? '')}
      />
      <Text size="sm" fw={500}>
        {t.parameters}
      </Text>
      {node_get_params.map((parameter, index) => (
        <Group key={parameter.id} gap="xs" wrap="nowrap">
          <TextInput
            aria-label={t.parameterName(index + 1)}
            placeholder={t.parameterName(index + 1)}
            flex={1}
            value={parameter.name}
            onChange={({ currentTarget: { value } }) =>
              form.setFieldValue(`node_get_params.${index}.name`, value)
            }
          />
          <TextInput
            aria-label={t.parameterValue(index + 1)}
            placeholder={t.parameterValue(index + 1)}
            flex={1}
            value={parameter.value}
            onChange={({ currentTarget: { value } }) =>
              form.setFieldValue(`node_get_params.${index}.value`, value)
            }
          />
          <Button variant="subtle" onClick={() => form.removeListItem('node_get_params', index)}>
            {t.remove}
          </Button>
        </Group>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          onClick={() => form.insertListItem('node_get_params', { id: newId(), name: '', value: '' })}
        >
          {t.addParameter}
        </Button>
      </Group>
    </Stack>
  );
}
