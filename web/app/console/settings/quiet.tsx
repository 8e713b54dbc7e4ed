import { Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Settings } from '../../../../src/people/console/settings/schema.ts';
import { zoneNames } from '../../../../src/platform/time-zone.ts';
import { useTexts } from '../../shared/language.tsx';
import { settingsTexts } from './texts.ts';

type Form = UseFormReturnType<Omit<Settings, 'countries'>>;

/** When no mailing reaches a client. */
export function Quiet({ form }: { form: Form }) {
  const t = useTexts(settingsTexts);
  return (
    <Fieldset legend={t.quiet}>
      <Stack>
        <Text size="sm">{t.quietHint}</Text>
        <Group align="flex-start">
          <Time form={form} field="quiet_from" label={t.quietFrom} />
          <Time form={form} field="quiet_until" label={t.quietUntil} />
        </Group>
        <Select
          label={t.timezone}
          description={t.timezoneHint}
          data={[...zoneNames]}
          searchable
          allowDeselect={false}
          {...form.getInputProps('timezone')}
        />
      </Stack>
    </Fieldset>
  );
}

function Time({ form, field, label }: { form: Form; field: 'quiet_from' | 'quiet_until'; label: string }) {
  const { value, onChange, ...props } = form.getInputProps(field);
  return (
    <TextInput
      type="time"
      label={label}
      {...props}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
    />
  );
}
