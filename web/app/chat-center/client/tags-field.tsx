import { Pill, PillsInput } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTexts } from '../../shared/language.tsx';
import { clientTexts } from './texts.ts';

/** Tags as one types them: Enter or a comma ends one, Backspace in an empty field takes the last one away. */
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
    // An empty field’s Enter sends the form, as in every other field.
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
