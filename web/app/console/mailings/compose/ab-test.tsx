import { Button, Checkbox, Group, NumberInput, Paper, Select, Stack, Text } from '@mantine/core';
import { decidingMeasures, mostVariants } from '../../../../../src/mailings/ab-test/limits.ts';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import { letterOf } from '../letter.ts';
import { abTestTexts } from './ab-test-texts.ts';
import { firstShare, newVariant } from './draft.ts';
import type { DraftForm } from './form.tsx';
import { VariantContent } from './variant-content.tsx';

/** The other variants of the message, and the sample that decides between them. */
export function AbTestFields({ form, choices }: { form: DraftForm; choices: Choices }) {
  const t = useTexts(abTestTexts);
  const { tests, variants, when } = form.values;
  function turn(on: boolean) {
    form.setFieldValue('tests', on);
    if (on && variants.length === 0) form.setFieldValue('variants', [newVariant(50)]);
  }
  return (
    <Stack>
      <Checkbox
        label={t.tests}
        description={t.testsHelp}
        checked={tests}
        onChange={({ currentTarget }) => turn(currentTarget.checked)}
      />
      {tests && when === 'schedule' && <Text size="sm">{t.problems.schedule}</Text>}
      {tests && <Variants form={form} choices={choices} />}
      {tests && <SampleFields form={form} />}
      {form.errors.ab_test && (
        <Text size="sm" c="red">
          {form.errors.ab_test}
        </Text>
      )}
    </Stack>
  );
}

function Variants({ form, choices }: { form: DraftForm; choices: Choices }) {
  const t = useTexts(abTestTexts);
  const { percent } = useFormat();
  const { variants } = form.values;
  const first = firstShare(form.values);
  return (
    <>
      <Text size="sm">{first > 0 ? t.first(percent(first / 100)) : t.problems.shares}</Text>
      {variants.map((variant, index) => {
        const letter = letterOf(index + 2);
        return (
          <Paper key={variant.id} withBorder p="sm" component="section" aria-label={t.variant(letter)}>
            <Stack gap="sm">
              <Group justify="space-between">
                <Text fw={600}>{t.variant(letter)}</Text>
                <Button
                  variant="subtle"
                  size="xs"
                  onClick={() => form.removeListItem('variants', index)}
                  disabled={variants.length === 1}
                >
                  {t.remove(letter)}
                </Button>
              </Group>
              <NumberInput
                label={t.shareOf(letter)}
                min={1}
                max={99}
                allowDecimal={false}
                maw={260}
                {...form.getInputProps(`variants.${index}.share`)}
                onChange={(share) => form.setFieldValue(`variants.${index}.share`, Number(share))}
              />
              <VariantContent form={form} choices={choices} index={index} letter={letter} />
            </Stack>
          </Paper>
        );
      })}
      <Group>
        <Button
          variant="default"
          size="xs"
          disabled={variants.length >= mostVariants - 1}
          onClick={() => form.insertListItem('variants', newVariant(Math.max(1, Math.floor(first / 2))))}
        >
          {t.add}
        </Button>
      </Group>
    </>
  );
}

function SampleFields({ form }: { form: DraftForm }) {
  const t = useTexts(abTestTexts);
  const { samples } = form.values;
  return (
    <Stack gap="sm">
      <Checkbox label={t.samples} {...form.getInputProps('samples', { type: 'checkbox' })} />
      {!samples && <Text size="sm">{t.live}</Text>}
      {samples && <Deciding form={form} />}
    </Stack>
  );
}

function Deciding({ form }: { form: DraftForm }) {
  const t = useTexts(abTestTexts);
  const number = (field: 'percent' | 'wait') => ({
    ...form.getInputProps(`sample.${field}`),
    onChange: (value: string | number) => form.setFieldValue(`sample.${field}`, Number(value)),
  });
  const { sample } = form.values;
  return (
    <>
      <NumberInput label={t.percent} min={1} max={90} allowDecimal={false} maw={260} {...number('percent')} />
      <Select
        label={t.measure}
        data={decidingMeasures.map((value) => ({ value, label: t.measures[value] }))}
        allowDeselect={false}
        maw={360}
        {...form.getInputProps('sample.measure')}
      />
      <Group align="flex-end" gap="xs">
        <NumberInput label={t.wait} min={1} allowDecimal={false} w={140} {...number('wait')} />
        <Select
          aria-label={t.unit}
          data={[
            { value: 'minutes', label: t.units.minutes },
            { value: 'hours', label: t.units.hours },
          ]}
          allowDeselect={false}
          w={140}
          value={sample.unit}
          onChange={(unit) => form.setFieldValue('sample.unit', unit === 'hours' ? 'hours' : 'minutes')}
        />
      </Group>
      <Text size="sm" c="dimmed">
        {t.waitHelp}
      </Text>
      <Select
        label={t.otherwise}
        data={[
          { value: 'ask', label: t.otherwises.ask },
          { value: 'first', label: t.otherwises.first },
        ]}
        allowDeselect={false}
        maw={420}
        {...form.getInputProps('sample.otherwise')}
      />
    </>
  );
}
