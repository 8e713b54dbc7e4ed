import { Fieldset, Group, NumberInput, Stack, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Settings } from '../../../../src/people/console/settings/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { settingsTexts } from './texts.ts';

type Form = UseFormReturnType<Omit<Settings, 'countries'>>;

/** How many mailings a client gets at most. */
export function Cap({ form }: { form: Form }) {
  const t = useTexts(settingsTexts);
  return (
    <Fieldset legend={t.cap}>
      <Stack>
        <Text size="sm">{t.capHint}</Text>
        <Group align="flex-start">
          <Count form={form} field="cap_messages" label={t.capMessages} max={100} />
          <Count form={form} field="cap_days" label={t.capDays} max={90} />
        </Group>
      </Stack>
    </Fieldset>
  );
}

function Count({
  form,
  field,
  label,
  max,
}: {
  form: Form;
  field: 'cap_messages' | 'cap_days';
  label: string;
  max: number;
}) {
  const { value, onChange, ...props } = form.getInputProps(field);
  return (
    <NumberInput
      label={label}
      min={1}
      max={max}
      allowDecimal={false}
      {...props}
      value={value ?? ''}
      onChange={(count) => onChange(typeof count === 'number' ? count : null)}
    />
  );
}
