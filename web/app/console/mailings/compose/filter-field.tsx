import { Button, Group, Input, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import { fromJson, toJson } from './filter.ts';
import { filterTexts } from './filter-texts.ts';
import type { DraftForm } from './form.tsx';
import { GroupFields } from './group.tsx';

/** The filter, in the builder or as JSON. */
export function FilterField({ form, choices }: { form: DraftForm; choices: Choices }) {
  const t = useTexts(filterTexts);
  const [note, setNote] = useState<string | null>(null);
  const { filter, filter_chats } = form.values;
  function buildByHand() {
    const group = read(filter_chats ?? '');
    if (group) form.setValues({ filter: group, filter_chats: null });
    setNote(group ? null : t.cannotBuild);
  }
  return (
    <Stack gap="sm">
      {filter_chats === null ? (
        <GroupFields
          group={filter}
          choices={choices}
          depth={0}
          onChange={(changed) => {
            form.setFieldValue('filter', changed);
            form.clearFieldError('filter_chats');
          }}
        />
      ) : (
        <Textarea
          label={t.jsonLabel}
          autosize
          minRows={6}
          maxRows={20}
          spellCheck={false}
          styles={{ input: { fontFamily: 'monospace' } }}
          {...form.getInputProps('filter_chats')}
        />
      )}
      {filter_chats === null && form.errors.filter_chats && (
        <Input.Error role="alert">{form.errors.filter_chats}</Input.Error>
      )}
      {note && <Text size="sm">{note}</Text>}
      <Group>
        {filter_chats === null ? (
          <Button
            variant="subtle"
            size="xs"
            onClick={() => form.setFieldValue('filter_chats', JSON.stringify(toJson(filter), null, 2))}
          >
            {t.json}
          </Button>
        ) : (
          <Button variant="subtle" size="xs" onClick={buildByHand}>
            {t.byHand}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function read(json: string) {
  try {
    return fromJson(JSON.parse(json));
  } catch {
    return null;
  }
}
