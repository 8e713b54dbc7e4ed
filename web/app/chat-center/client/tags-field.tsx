import { Pill, PillsInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTexts } from '../../shared/language.tsx';
import { clientTexts } from './texts.ts';

/** Tags with the usual keys: Enter or a comma ends a tag, Backspace in an empty field removes the last tag. */
export function TagsField({
  label,
  placeholder,
  value,
  onChange,
  error,
}: {
  label: string;
  placeholder: string;
  value: string[];
  onChange(tags: string[]): void;
  error?: ReactNode;
}) {
  const t = useTexts(clientTexts);
  const [typed, setTyped] = useState('');
  function add() {
    const tag = typed.trim();
    setTyped('');
    if (tag && !value.includes(tag)) onChange([...value, tag]);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Backspace' && typed === '') onChange(value.slice(0, -1));
    if (event.key !== 'Enter' && event.key !== ',') return;
    // Enter in an empty field submits the form, as in other fields.
    if (event.key === ',' || typed) event.preventDefault();
    add();
  }
  return (
    <PillsInput label={label} error={error}>
      <Pill.Group>
        {value.map((tag) => (
          <Pill
            key={tag}
            withRemoveButton
            onRemove={() => onChange(value.filter((one) => one !== tag))}
            removeButtonProps={{ 'aria-label': t.removeTag(tag), 'aria-hidden': false, tabIndex: 0 }}
          >
            {tag}
          </Pill>
        ))}
        <PillsInput.Field
          aria-label={label}
          placeholder={placeholder}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={add}
        />
      </Pill.Group>
    </PillsInput>
  );
}
