import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTexts } from '../../shared/language.tsx';
import { useProjectId } from '../api.ts';
import { useDefinitions } from './calls.ts';
import { profileTexts } from './texts.ts';

/** The filters of the list. They are in the URL, so that a search can be saved and shared. */
export function Filters({ search, tag }: { search: string; tag: string | undefined }) {
  const t = useTexts(profileTexts);
  const project = useProjectId();
  const navigate = useNavigate();
  const tags = useDefinitions('tags');
  const [typed, setTyped] = useState(search);
  useEffect(() => setTyped(search), [search]);
  const show = (wanted: { search?: string; tag?: string }) =>
    navigate({ to: '/$project/profiles/', params: { project }, search: wanted, replace: true });
  const searchSoon = useDebouncedCallback(
    (words: string) => show({ search: words.trim() || undefined, tag }),
    300,
  );
  return (
    <Group align="flex-start" mb="md" gap="md">
      <TextInput
        type="search"
        label={t.search}
        description={t.searchHint}
        inputWrapperOrder={['label', 'input', 'description']}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        maxLength={512}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          searchSoon(value);
        }}
        flex={1}
        miw={260}
      />
      <Select
        label={t.tag}
        placeholder={t.anyTag}
        data={tags.data?.results.map(({ name }) => name) ?? []}
        value={tag ?? null}
        onChange={(name) => show({ search: search || undefined, tag: name ?? undefined })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t.anyTag }}
        w={{ base: '100%', xs: 220 }}
      />
    </Group>
  );
}
