import { Checkbox, Group, Radio, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import type { Draft } from './draft.ts';
import { FilterField } from './filter-field.tsx';
import type { DraftForm } from './form.tsx';
import { composeTexts } from './texts.ts';

const audiences: readonly Draft['audience'][] = ['filter', 'saved', 'list', 'clients', 'phones'];
const fields: readonly Draft['customer_filter_field'][] = [
  'PHONE_NUMBER',
  'EXTERNAL_ID',
  'UUID',
  'CHAT_UUID',
];

type Props = { form: DraftForm; choices: Choices };

/** The selection of recipients. */
export function AudienceFields({ form, choices }: Props) {
  const t = useTexts(composeTexts);
  return (
    <Stack>
      <Radio.Group label={t.whom} {...form.getInputProps('audience')}>
        <Group mt="xs" gap="md">
          {audiences.map((one) => (
            <Radio key={one} value={one} label={t.audiences[one]} />
          ))}
        </Group>
      </Radio.Group>
      <RecipientsFields form={form} choices={choices} />
      {choices.topics.length > 0 && (
        <Select
          label={t.topic}
          description={t.topicHelp}
          placeholder={t.noTopic}
          data={choices.topics}
          clearable
          maw={360}
          {...form.getInputProps('topic')}
          value={form.values.topic || null}
          onChange={(topic) => form.setFieldValue('topic', topic ?? '')}
        />
      )}
      <Checkbox
        label={t.origin}
        checked={form.values.origin === 'chat_center'}
        onChange={({ currentTarget: { checked } }) =>
          form.setFieldValue('origin', checked ? 'chat_center' : 'system')
        }
      />
    </Stack>
  );
}

/** The fields of the chosen kind of audience. */
function RecipientsFields({ form, choices }: Props) {
  const t = useTexts(composeTexts);
  const { audience } = form.values;
  return (
    <>
      {audience === 'filter' && <FilterField form={form} choices={choices} />}
      {audience === 'saved' && <SavedField form={form} choices={choices} />}
      {(audience === 'list' || audience === 'clients') && (
        <Select
          label={t.field}
          data={fields.map((field) => ({ value: field, label: t.fields[field] }))}
          allowDeselect={false}
          maw={360}
          {...form.getInputProps('customer_filter_field')}
        />
      )}
      {audience === 'list' && (
        <Textarea
          label={t.list}
          description={t.listHelp}
          autosize
          minRows={4}
          maxRows={12}
          {...form.getInputProps('customer_filter_array')}
        />
      )}
      {audience === 'clients' && (
        <TextInput
          type="url"
          label={t.clients}
          description={t.clientsHelp}
          placeholder="https://"
          {...form.getInputProps('customer_filter_file')}
        />
      )}
      {audience === 'phones' && (
        <TextInput
          type="url"
          label={t.phones}
          description={t.phonesHelp}
          placeholder="https://"
          {...form.getInputProps('phone_numbers_file')}
        />
      )}
    </>
  );
}

function SavedField({ form, choices }: Props) {
  const t = useTexts(composeTexts);
  const { saved } = form.values;
  return (
    <Select
      label={t.saved}
      description={choices.audiences.length > 0 ? t.savedHelp : t.noSaved}
      data={choices.audiences}
      value={saved === '' ? null : saved}
      onChange={(name) => {
        form.setFieldValue('saved', name ?? '');
        form.clearFieldError('filter_chats');
      }}
      error={form.errors.filter_chats}
      allowDeselect={false}
      searchable
      maw={420}
    />
  );
}
