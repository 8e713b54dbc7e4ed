import {
  Alert,
  Autocomplete,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  Stack,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Profile } from '../../../../src/clients/profiles/schema.ts';
import { zoneNames } from '../../../../src/platform/time-zone.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import { type FormValues, valuesOf } from './form.ts';
import { profileTexts } from './texts.ts';
import { useSave } from './use-save.ts';

type Given = { profile: Profile; tags: string[]; attributes: string[] };

/** The fields of a client. */
export function Fields({ profile, tags, attributes }: Given) {
  const t = useTexts(profileTexts);
  const words = useTexts(common);
  const format = useFormat();
  const form = useForm<FormValues>({ initialValues: valuesOf(profile, attributes) });
  const { base, conflict, takeTheirs, busy, problem, submit } = useSave(form, profile, attributes);

  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="sm">
        <TextInput label={t.name} {...form.getInputProps('name')} />
        <TextInput label={t.phone} type="tel" {...form.getInputProps('phone_number')} />
        <TextInput label={t.email} type="text" inputMode="email" {...form.getInputProps('email')} />
        <TextInput
          label={t.externalId}
          description={t.externalIdHint}
          {...form.getInputProps('external_id')}
        />
        <Autocomplete
          label={t.timezone}
          data={[...zoneNames]}
          limit={20}
          {...form.getInputProps('timezone')}
        />
        <MultiSelect
          label={t.tags}
          data={[...new Set([...tags, ...base.tags])]}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': words.delete }}
          {...form.getInputProps('tags')}
        />
        <Checkbox
          label={t.agreed}
          description={base.pda_agreed ? t.agreedAt(format.moment(base.pda_agreed)) : undefined}
          {...form.getInputProps('pda_agreed', { type: 'checkbox' })}
        />
        {attributes.length > 0 && (
          <Title order={3} size="h5" mt="xs">
            {t.attributes}
          </Title>
        )}
        {form.values.attrs.map(({ name }, index) => (
          <TextInput key={name} label={name} {...form.getInputProps(`attrs.${index}.value`)} />
        ))}
        {problem && (
          <Alert color={conflict ? 'yellow' : 'red'} role="alert">
            {problem}
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={busy}>
            {words.save}
          </Button>
          {conflict && (
            <Button variant="default" onClick={takeTheirs}>
              {t.takeTheirs}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
