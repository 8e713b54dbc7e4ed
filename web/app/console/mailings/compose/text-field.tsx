import { Button, Group, Menu, Stack, Textarea } from '@mantine/core';
import { IconBraces } from '@tabler/icons-react';
import { useRef } from 'react';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import type { DraftForm } from './form.tsx';
import { composeTexts } from './texts.ts';

/** The text field, with a menu of placeholders. */
export function TextField({ form, choices }: { form: DraftForm; choices: Choices }) {
  const t = useTexts(composeTexts);
  const area = useRef<HTMLTextAreaElement>(null);
  function insert(placeholder: string) {
    const { text } = form.values;
    const { selectionStart = text.length, selectionEnd = text.length } = area.current ?? {};
    form.setFieldValue('text', text.slice(0, selectionStart) + placeholder + text.slice(selectionEnd));
    area.current?.focus();
  }
  return (
    <Stack gap="xs">
      <Textarea ref={area} label={t.text} autosize minRows={4} maxRows={16} {...form.getInputProps('text')} />
      <Group>
        <InsertMenu choices={choices} onInsert={insert} />
      </Group>
    </Stack>
  );
}

function InsertMenu({ choices, onInsert }: { choices: Choices; onInsert(placeholder: string): void }) {
  const t = useTexts(composeTexts);
  const item = (label: string, placeholder: string) => (
    <Menu.Item key={placeholder} onClick={() => onInsert(placeholder)}>
      {label}
    </Menu.Item>
  );
  return (
    <Menu position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconBraces size={14} aria-hidden />}>
          {t.insert}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {item(t.insertName, '{{name}}')}
        {item(t.insertPhone, '{{phone}}')}
        {choices.attributes.map((name) => item(`${t.insertAttribute}: ${name}`, `{{attrs.${name}}}`))}
        {choices.promocode_groups.map((name) => item(`${t.insertCode} ${name}`, `{{promocode:${name}}}`))}
      </Menu.Dropdown>
    </Menu>
  );
}
