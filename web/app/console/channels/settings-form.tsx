import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Messenger } from '../../../../src/people/console/channels/schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { SettingField, type Value } from './setting-field.tsx';
import { channels } from './texts.ts';

export type Filled = { name: string; settings: Record<string, Value> };

type Props = {
  messenger: Messenger;
  name: string;
  /** The current values, without secrets. */
  known: Record<string, unknown>;
  /** The names of secrets that are set. */
  secrets: readonly string[];
  action: string;
  send(filled: Filled): Promise<unknown>;
};

/** A channel's name, and the settings of its messenger. */
export function SettingsForm({ messenger, name, known, secrets, action, send }: Props) {
  const t = useTexts(channels);
  const words = useTexts(common);
  const settings = Object.fromEntries(
    messenger.settings.map((setting) => [setting.name, asValue(known[setting.name])]),
  );
  const form = useForm<Filled>({ initialValues: { name, settings } });
  const { busy, problem, submit } = useSubmit(form, async (filled: Filled) => {
    await send(filled);
    // An entered secret is now a stored one.
    for (const setting of messenger.settings) {
      if (setting.secret) form.setFieldValue(`settings.${setting.name}`, '');
    }
  });
  const whole = form.errors['settings.non_field_errors'];
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack maw={560}>
        <TextInput
          label={words.name}
          description={t.nameHint}
          withAsterisk
          maxLength={200}
          {...form.getInputProps('name')}
        />
        {messenger.settings.map((setting) => (
          <SettingField
            key={setting.name}
            setting={setting}
            isSet={secrets.includes(setting.name)}
            value={form.values.settings[setting.name] ?? ''}
            error={textOf(form.errors[`settings.${setting.name}`])}
            onChange={(value) => form.setFieldValue(`settings.${setting.name}`, value)}
          />
        ))}
        {messenger.settings.some(({ secret }) => secret) && <Text size="sm">{t.secretsKept}</Text>}
        <FormProblem text={whole ?? problem} />
        <Group>
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const asValue = (known: unknown): Value =>
  typeof known === 'string' || typeof known === 'number' || typeof known === 'boolean' ? known : '';

const textOf = (error: unknown): string | undefined => (typeof error === 'string' ? error : undefined);
