import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Step } from '../../../../src/channels/contract/guide.ts';
import type { Messenger, Setting } from '../../../../src/people/console/channels/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { CheckLine } from './check-line.tsx';
import styles from './guide.module.css';
import { GuideStep, NumberedStep } from './guide-step.tsx';
import { guideTexts } from './guide-texts.ts';
import { platformName } from './platform.ts';
import { SettingField } from './setting-field.tsx';
import type { Filled } from './settings-form.tsx';
import { channels } from './texts.ts';
import { type Check, useCheck } from './use-check.ts';

type Props = { messenger: Messenger; send(filled: Filled): Promise<unknown> };

type FormOf = ReturnType<typeof useForm<Filled>>;

/** The steps until a channel is added, as one form. */
export function GuideForm({ messenger, send }: Props) {
  const t = useTexts(guideTexts);
  const settings = Object.fromEntries(messenger.settings.map(({ name }) => [name, '']));
  const form = useForm<Filled>({ initialValues: { name: platformName(messenger.platform), settings } });
  const { busy, problem, submit } = useSubmit(form, send);
  const check = useCheck(messenger, form.values.settings);
  const { before } = messenger.guide;
  const whole = form.errors['settings.non_field_errors'];
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <ol className={styles.steps} aria-label={t.steps}>
        {before.map((step, index) => (
          <Filling
            key={step.title.en}
            {...{ messenger, form, check, step }}
            number={index + 1}
            isChecked={step === checkedStep(messenger)}
          />
        ))}
        <Last {...{ messenger, form, busy }} number={before.length + 1} problem={whole ?? problem} />
      </ol>
    </form>
  );
}

/** The step with the last of the values that the provider can check. */
function checkedStep({ guide, checked }: Messenger): Step | undefined {
  return guide.before.findLast(({ fields = [] }) => fields.some(({ name }) => checked.includes(name)));
}

type FillingProps = {
  messenger: Messenger;
  form: FormOf;
  check: Check;
  step: Step;
  number: number;
  isChecked: boolean;
};

function Filling({ messenger, form, check, step, number, isChecked }: FillingProps) {
  const t = useTexts(guideTexts);
  const names = (step.fields ?? []).map(({ name }) => name);
  const settings = messenger.settings.filter(({ name }) => names.includes(name));
  const fields = settings.map((setting) => <Entered key={setting.name} {...{ setting, form, check }} />);
  const hasProblem = settings.some(({ name }) => problemOf(form, check, name) !== undefined);
  return (
    <GuideStep step={step} number={number}>
      {step.isRare ? (
        <details className={styles.rare} open={hasProblem || undefined}>
          <summary>{t.optional}</summary>
          <div className={styles.fields}>{fields}</div>
        </details>
      ) : (
        fields
      )}
      {isChecked && <CheckLine check={check} />}
    </GuideStep>
  );
}

function Entered({ setting, form, check }: { setting: Setting; form: FormOf; check: Check }) {
  const { name } = setting;
  return (
    <SettingField
      setting={setting}
      isSet={false}
      value={form.values.settings[name] ?? ''}
      error={problemOf(form, check, name)}
      onChange={(value) => form.setFieldValue(`settings.${name}`, value)}
    />
  );
}

function problemOf(form: FormOf, check: Check, name: string): string | undefined {
  const error = form.errors[`settings.${name}`];
  return typeof error === 'string' ? error : check.problems[name];
}

type LastProps = {
  messenger: Messenger;
  form: FormOf;
  busy: boolean;
  number: number;
  problem: React.ReactNode;
};

function Last({ messenger, form, busy, number, problem }: LastProps) {
  const t = useTexts(guideTexts);
  const texts = useTexts(channels);
  const words = useTexts(common);
  return (
    <NumberedStep number={number} title={t.last}>
      <Stack maw={480}>
        <Text>{messenger.can_check ? t.lastText : t.lastPlain}</Text>
        <TextInput
          label={words.name}
          description={texts.nameHint}
          withAsterisk
          maxLength={200}
          {...form.getInputProps('name')}
        />
        <FormProblem text={problem} />
        <div>
          <Button type="submit" loading={busy}>
            {texts.add}
          </Button>
        </div>
      </Stack>
    </NumberedStep>
  );
}
