import { Button, Fieldset, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Profile } from '../../../../src/clients/profiles/schema.ts';
import { zoneNames } from '../../../../src/platform/time-zone.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useDesk } from '../desk.tsx';
import { useNotice } from '../notice.ts';
import { LocalTime } from './local-time.tsx';
import { OtherChats } from './other-chats.tsx';
import { TagsField } from './tags-field.tsx';
import { clientTexts } from './texts.ts';
import { type ClientValues, changesOf, valuesOf } from './values.ts';

const fields = ['name', 'phone_number', 'email', 'external_id'] as const;

export default function ClientForm({ chat, profile }: { chat: string; profile: Profile }) {
  const t = useTexts(clientTexts);
  const words = useTexts(common);
  const { day, moment } = useFormat();
  const { form, busy, problem, submit } = useClientForm(chat, profile);
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack gap="sm">
        <FormProblem text={problem} />
        {fields.map((name) => (
          <TextInput key={name} size="sm" label={t[name]} {...form.getInputProps(name)} />
        ))}
        <ZoneField form={form} />
        <TagsField
          label={t.tags}
          placeholder={t.addTag}
          value={form.values.tags}
          onChange={(tags) => form.setFieldValue('tags', tags)}
          error={form.errors.tags}
        />
        <AttributeFields form={form} />
        <Button type="submit" loading={busy} disabled={!form.isDirty()}>
          {words.save}
        </Button>
        <OtherChats chat={chat} chats={profile.chats} />
        <Text size="xs">
          {t.since(day(profile.created_at))}
          {profile.pda_agreed && (
            <>
              <br />
              {t.agreed(moment(profile.pda_agreed))}
            </>
          )}
        </Text>
      </Stack>
    </form>
  );
}

type Form = UseFormReturnType<ClientValues>;

/** The form shows the client as they are, until somebody types. */
function useClientForm(chat: string, profile: Profile) {
  const t = useTexts(clientTexts);
  const words = useTexts(common);
  const notice = useNotice();
  const { api, cache } = useDesk();
  const queries = useQueryClient();
  const form = useForm<ClientValues>({ initialValues: valuesOf(profile) });
  // The values before editing. Only differences from them are sent, so colleagues' changes are kept.
  const [base, setBase] = useState(profile);
  function show(shown: Profile) {
    setBase(shown);
    form.setInitialValues(valuesOf(shown));
    form.setValues(valuesOf(shown));
  }
  async function send(values: ClientValues) {
    const saved = await api.put<Profile>(`chats/${chat}/profile/`, changesOf(base, values));
    const unknown = values.tags.filter((tag) => !saved.tags.includes(tag));
    if (unknown.length > 0) notice(t.unknownTags(unknown.join(', ')), 'problem');
    else notice(words.saved);
    show(saved);
    queries.setQueryData(cache.keys.client(chat), saved);
  }
  const { busy, problem, submit } = useSubmit(form, send, { quiet: true });
  const follow = useEffectEvent((changed: Profile) => {
    if (!form.isDirty()) show(changed);
  });
  useEffect(() => follow(profile), [profile]);
  return { form, busy, problem, submit };
}

function ZoneField({ form }: { form: Form }) {
  const t = useTexts(clientTexts);
  const { timezone } = form.values;
  return (
    <>
      <TextInput
        label={t.timezone}
        description={zoneNames.includes(timezone) && <LocalTime timezone={timezone} />}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        list="time-zones"
        {...form.getInputProps('timezone')}
      />
      <datalist id="time-zones">
        {zoneNames.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

function AttributeFields({ form }: { form: Form }) {
  const t = useTexts(clientTexts);
  const attributes = Object.keys(form.values.attrs);
  if (attributes.length === 0) return null;
  return (
    <Fieldset legend={t.attributes} p="sm">
      <Stack gap="xs">
        {attributes.map((name) =>
          typeof form.values.attrs[name] === 'boolean' ? (
            <Switch key={name} label={name} {...form.getInputProps(`attrs.${name}`, { type: 'checkbox' })} />
          ) : (
            <TextInput key={name} label={name} {...form.getInputProps(`attrs.${name}`)} />
          ),
        )}
      </Stack>
    </Fieldset>
  );
}
