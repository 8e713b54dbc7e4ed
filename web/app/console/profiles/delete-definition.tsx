import { List, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { DeletionProgress, Uses } from '../../../../src/people/console/dictionary/schema.ts';
import { ConfirmButton } from '../../shared/confirm.tsx';
import { useTexts } from '../../shared/language.tsx';
import { Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import type { DefinitionKind } from './calls.ts';
import { dictionaryTexts } from './dictionary-texts.ts';

type Named = { kind: DefinitionKind; name: string };

export function DeleteDefinition({ kind, name, count }: Named & { count: number }) {
  const t = useTexts(dictionaryTexts);
  const words = useTexts(common);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  async function remove() {
    try {
      let after = '';
      do {
        const step = new URLSearchParams({ name, ...(after && { after }) });
        const { next } = await api.delete<DeletionProgress>(`${kind}/?${step}`);
        after = next ?? '';
      } while (after !== '');
    } finally {
      await queries.invalidateQueries({ queryKey: [project] });
    }
  }
  return (
    <ConfirmButton
      label={words.delete}
      size="xs"
      title={kind === 'tags' ? t.removeTagTitle(name) : t.removeAttributeTitle(name)}
      onConfirm={remove}
    >
      <Stack gap="sm">
        <Text>{kind === 'tags' ? t.tagGoes(count) : t.attributeGoes}</Text>
        <UsesOf kind={kind} name={name} />
      </Stack>
    </ConfirmButton>
  );
}

/** The uses of the tag or attribute, loaded when the dialog opens. */
function UsesOf({ kind, name }: Named) {
  const t = useTexts(dictionaryTexts);
  const api = useApi();
  const project = useProjectId();
  const uses = useQuery({
    queryKey: [project, kind, 'uses', name],
    queryFn: ({ signal }) => api.get<Uses>(`${kind}/uses/`, { name }, signal),
    staleTime: 0,
  });
  if (uses.isPending) return <Loading height={48} />;
  if (uses.isError) return <LoadProblem error={uses.error} onRetry={uses.refetch} />;
  const { mailings, scenarios } = uses.data;
  if (mailings.length + scenarios.length === 0) return <Text>{t.unused}</Text>;
  return (
    <>
      <Names lead={t.mailings} names={mailings} />
      <Names lead={t.scenarios} names={scenarios} />
    </>
  );
}

function Names({ lead, names }: { lead: string; names: string[] }) {
  if (names.length === 0) return null;
  return (
    <div>
      <Text>{lead}</Text>
      <List>
        {[...new Set(names)].map((name) => (
          <List.Item key={name}>{name}</List.Item>
        ))}
      </List>
    </div>
  );
}
