import { Button, Group, NumberInput, PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import type { Setting } from '../../../../src/people/console/channels/schema.ts';
import { useTexts, useWords } from '../../shared/language.tsx';
import { CopyText } from '../../shared/page-parts.tsx';
import { channels } from './texts.ts';

export type Value = string | number | boolean;

type Props = {
  setting: Setting;
  /** For a secret: whether it is set. */
  isSet: boolean;
  value: Value;
  error?: string | undefined;
  onChange(value: Value): void;
};

/** The field of one setting, as its messenger describes it. */
export function SettingField({ setting, isSet, value, error, onChange }: Props) {
  const t = useTexts(channels);
  const inWords = useWords();
  const common = {
    label: inWords(setting.label),
    description: setting.help ? inWords(setting.help) : undefined,
    error,
    withAsterisk: setting.required,
  };
  if (setting.secret) {
    return (
      <SecretField
        common={common}
        form={setting.can_make}
        isSet={isSet}
        value={String(value)}
        onChange={onChange}
      />
    );
  }
  switch (setting.type) {
    case 'choice':
      return (
        <Select
          {...common}
          data={setting.choices}
          value={value === '' ? null : String(value)}
          placeholder={t.choose}
          clearable={!setting.required}
          onChange={(chosen) => onChange(chosen ?? '')}
        />
      );
    case 'number':
      return <NumberInput {...common} value={typeof value === 'boolean' ? '' : value} onChange={onChange} />;
    case 'switch':
      return (
        <Switch
          label={common.label}
          description={common.description}
          error={error}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'text':
    case 'address':
      return (
        <TextInput
          {...common}
          inputMode={setting.type === 'address' ? 'url' : 'text'}
          autoComplete="off"
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

type SecretProps = {
  common: {
    label: string;
    description: string | undefined;
    error?: string | undefined;
    withAsterisk: boolean;
  };
  /** The form of a value that can be made here. A bot token, in contrast, comes from its messenger. */
  form: Setting['can_make'];
  isSet: boolean;
  value: string;
  onChange(value: string): void;
};

function SecretField({ common, form, isSet, value, onChange }: SecretProps) {
  const t = useTexts(channels);
  const field = (
    <PasswordInput
      {...common}
      flex={1}
      autoComplete="off"
      placeholder={isSet ? t.secretSet : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
  if (form === null) return field;
  return (
    <Group align="flex-end" wrap="nowrap">
      {field}
      {value === '' ? (
        <Button variant="default" onClick={() => onChange(newSecret(form))}>
          {t.generate}
        </Button>
      ) : (
        <CopyText value={value} />
      )}
    </Group>
  );
}

/** A `webhook secret` has the form that libraries for Standard Webhooks expect. */
function newSecret(form: NonNullable<Setting['can_make']>): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const base64 = btoa(String.fromCharCode(...bytes));
  if (form === 'webhook secret') return `whsec_${base64}`;
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
