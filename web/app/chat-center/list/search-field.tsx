import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTexts } from '../../shared/language.tsx';
import { listTexts } from './texts.ts';

const id = 'search';

export const focusSearch = (): void => document.getElementById(id)?.focus();

export function SearchField({
  value,
  onChange,
  onEnter,
}: {
  value: string;
  onChange(value: string): void;
  onEnter(): void;
}) {
  const t = useTexts(listTexts);
  return (
    <TextInput
      id={id}
      type="search"
      aria-label={t.search}
      placeholder={t.search}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onEnter();
        if (event.key === 'Escape' && value) {
          event.preventDefault();
          onChange('');
        }
      }}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={value && <CloseButton size="sm" aria-label={t.clear} onClick={() => onChange('')} />}
      p="xs"
    />
  );
}
