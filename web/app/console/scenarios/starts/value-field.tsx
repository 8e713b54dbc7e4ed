import { Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { ListedAudience } from '../../../../../src/people/console/audiences/schema.ts';
import type { StockedGroup } from '../../../../../src/people/console/promocodes/schema.ts';
import type { Wanted } from '../../../../../src/scenarios/starter-kinds.ts';
import { useTexts } from '../../../shared/language.tsx';
import type { Page } from '../../../shared/pager.tsx';
import { useApi, useProjectId } from '../../api.ts';
import { type DefinitionKind, useDefinitions } from '../../profiles/calls.ts';
import { startTexts } from './texts.ts';

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${hour}:00` }));

export type StartForm = UseFormReturnType<Required<Wanted>>;

/** The keyword, the tag, the attribute with its value, the group of promo codes, or the audience. */
export function ValueField({ form }: { form: StartForm }) {
  const t = useTexts(startTexts);
  switch (form.values.kind) {
    case 'welcome':
      return null;
    case 'keyword':
    case 'link':
      return (
        <TextInput
          label={t.values[form.values.kind]}
          description={t.hints[form.values.kind]}
          maxLength={255}
          required
          {...form.getInputProps('value')}
        />
      );
    case 'tag_added':
    case 'tag_removed':
      return <DefinedField form={form} kind="tags" label={t.values[form.values.kind]} />;
    case 'attribute':
      return (
        <>
          <DefinedField form={form} kind="attributes" label={t.values.attribute} />
          <TextInput label={t.to} description={t.toHint} maxLength={255} {...form.getInputProps('to')} />
        </>
      );
    case 'date':
      return (
        <>
          <DefinedField form={form} kind="attributes" label={t.values.date} />
          <Select
            label={t.hour}
            description={t.hourHint}
            data={hours}
            allowDeselect={false}
            {...form.getInputProps('to')}
          />
        </>
      );
    case 'promocode':
      return <GroupField form={form} />;
    case 'audience':
      return <AudienceField form={form} />;
  }
}

function DefinedField({ form, kind, label }: { form: StartForm; kind: DefinitionKind; label: string }) {
  const t = useTexts(startTexts);
  const { data } = useDefinitions(kind);
  return (
    <Select
      label={label}
      placeholder={data?.results.length === 0 ? t.noneDefined : undefined}
      data={data?.results.map(({ name }) => name) ?? []}
      searchable
      required
      {...form.getInputProps('value')}
      value={form.values.value || null}
    />
  );
}

const mostGroups = 100;

function GroupField({ form }: { form: StartForm }) {
  const t = useTexts(startTexts);
  const api = useApi();
  const project = useProjectId();
  const { data } = useQuery({
    queryKey: [project, 'promocodes', 'groups', 'to choose'],
    queryFn: ({ signal }) => api.get<Page<StockedGroup>>('promocode-groups/', { limit: mostGroups }, signal),
  });
  const groups = data?.results.map(({ uuid, name }) => ({ value: uuid, label: name })) ?? [];
  return (
    <Select
      label={t.values.promocode}
      data={[{ value: '', label: t.anyGroup }, ...groups]}
      allowDeselect={false}
      {...form.getInputProps('value')}
    />
  );
}

/** More than a project may have. */
const mostAudiences = 100;

function AudienceField({ form }: { form: StartForm }) {
  const t = useTexts(startTexts);
  const api = useApi();
  const project = useProjectId();
  const { data } = useQuery({
    queryKey: [project, 'audiences'],
    queryFn: ({ signal }) => api.get<Page<ListedAudience>>('audiences/', { limit: mostAudiences }, signal),
  });
  return (
    <Select
      label={t.values.audience}
      placeholder={data?.results.length === 0 ? t.noneDefined : undefined}
      data={data?.results.map(({ uuid, name }) => ({ value: uuid, label: name })) ?? []}
      searchable
      required
      {...form.getInputProps('value')}
      value={form.values.value || null}
    />
  );
}
