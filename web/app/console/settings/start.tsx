import { Fieldset, NumberInput, Stack, Switch } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Settings } from '../../../../src/people/console/settings/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { settingsTexts } from './texts.ts';

/** What a mailing needs before it starts, and what counts for it afterwards. */
export function Start({ form }: { form: UseFormReturnType<Omit<Settings, 'countries'>> }) {
  const t = useTexts(settingsTexts);
  const { value, onChange, ...props } = form.getInputProps('test_above');
  return (
    <Fieldset legend={t.start}>
      <Stack>
        <NumberInput
          label={t.testAbove}
          description={t.testAboveHint}
          min={0}
          max={1_000_000_000}
          allowDecimal={false}
          {...props}
          value={value ?? ''}
          onChange={(size) => onChange(typeof size === 'number' ? size : null)}
        />
        <Switch
          label={t.approval}
          description={t.approvalHint}
          {...form.getInputProps('needs_approval', { type: 'checkbox' })}
        />
        <NumberInput
          label={t.conversionDays}
          description={t.conversionDaysHint}
          min={1}
          max={90}
          allowDecimal={false}
          required
          {...form.getInputProps('conversion_days')}
        />
      </Stack>
    </Fieldset>
  );
}
