import { Button, Input, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SavedAudience } from '../../../../src/people/console/audiences/schema.ts';
import type { Choices } from '../../../../src/people/console/mailings/draft-schema.ts';
import { FormProblem } from '../../shared/form-parts.tsx';
import { useTexts } from '../../shared/language.tsx';
import { Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useSubmit } from '../../shared/submit.ts';
import { common } from '../../shared/texts.ts';
import { useApi, useProjectId } from '../api.ts';
import { type Draft, emptyDraft, filterOf } from '../mailings/compose/draft.ts';
import { fromJson, hasGaps, newGroup } from '../mailings/compose/filter.ts';
import { FilterField } from '../mailings/compose/filter-field.tsx';
import { filterTexts } from '../mailings/compose/filter-texts.ts';
import { composeTexts } from '../mailings/compose/texts.ts';
import { audienceTexts } from './texts.ts';

type Props = { audience: SavedAudience | null; onDone(): void };

/** The form for a new or existing audience. */
export function AudienceForm(props: Props) {
  const api = useApi();
  const project = useProjectId();
  const choices = useQuery({
    queryKey: [project, 'mailing-choices'],
    queryFn: ({ signal }) => api.get<Choices>('mailings/choices/', {}, signal),
  });
  if (choices.isError) return <LoadProblem error={choices.error} onRetry={choices.refetch} />;
  if (choices.isPending) return <Loading />;
  return <Fields {...props} choices={choices.data} />;
}

/** The builder belongs to the form of a mailing, so this form has its fields. */
function valuesOf(audience: SavedAudience | null): Draft {
  if (!audience) return emptyDraft();
  const filter = fromJson(audience.filter_chats);
  return {
    ...emptyDraft(),
    name: audience.name,
    filter: filter ?? newGroup(),
    filter_chats: filter === null ? JSON.stringify(audience.filter_chats, null, 2) : null,
  };
}

function Fields({ audience, onDone, choices }: Props & { choices: Choices }) {
  const t = useTexts(audienceTexts);
  const words = useTexts(common);
  const gapTexts = useTexts(filterTexts);
  const { badJson } = useTexts(composeTexts);
  const api = useApi();
  const project = useProjectId();
  const queries = useQueryClient();
  const form = useForm<Draft>({
    initialValues: valuesOf(audience),
    validate: (values) => ({ filter_chats: faultOf(values, gapTexts.gaps, badJson) }),
  });
  const { busy, problem, submit } = useSubmit<Draft>(form, async (values) => {
    const body = { name: values.name, filter_chats: filterOf(values) };
    if (audience) await api.put(`audiences/${audience.uuid}/`, body);
    else await api.post('audiences/', body);
    await Promise.all(
      ['audiences', 'audience', 'mailing-choices'].map((key) =>
        queries.invalidateQueries({ queryKey: [project, key] }),
      ),
    );
    onDone();
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Stack>
        <TextInput
          label={t.name}
          description={t.nameHelp}
          required
          maxLength={80}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Input.Label component="div">{t.filter}</Input.Label>
        <FilterField form={form} choices={choices} />
        <FormProblem text={problem} />
        {audience && <Input.Description>{t.keeps}</Input.Description>}
        <Button type="submit" loading={busy} style={{ alignSelf: 'flex-start' }}>
          {words.save}
        </Button>
      </Stack>
    </form>
  );
}

function faultOf(values: Draft, gaps: string, badJson: string): string | null {
  if (values.filter_chats === null) return hasGaps(values.filter) ? gaps : null;
  try {
    filterOf(values);
    return null;
  } catch {
    return badJson;
  }
}
