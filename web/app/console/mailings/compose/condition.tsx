import { ActionIcon, Group, Select, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import { type Condition, type FieldKind, kindOf, type Lookup, lookupsOf } from './filter.ts';
import { filterTexts } from './filter-texts.ts';
import { ValueField } from './value-field.tsx';

const ownVariable = 'attribute:';

/** One condition: field, comparison and value. */
export function ConditionFields({
  condition,
  choices,
  onChange,
  onRemove,
}: {
  condition: Condition;
  choices: Choices;
  onChange(condition: Condition): void;
  onRemove(): void;
}) {
  const t = useTexts(filterTexts);
  const { field, lookup } = condition;
  const kind = kindOf(field);
  function ask(to: string) {
    const possible = lookupsOf[kindOf(to)];
    onChange({
      ...condition,
      field: to,
      lookup: possible.includes(lookup) ? lookup : (possible[0] ?? 'exact'),
      values: kindOf(to) === kind ? condition.values : [],
    });
  }
  return (
    <Group gap="xs" align="flex-start">
      <SubjectFields
        field={field}
        choices={choices}
        onChoose={ask}
        onRename={(to) => onChange({ ...condition, field: to })}
      />
      <LookupField kind={kind} lookup={lookup} onChange={(to) => onChange({ ...condition, lookup: to })} />
      <ValueField
        condition={condition}
        choices={choices}
        onChange={(values) => onChange({ ...condition, values })}
      />
      <ActionIcon variant="subtle" size="lg" aria-label={t.removeCondition} onClick={onRemove}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

type SubjectProps = {
  field: string;
  choices: Choices;
  onChoose(field: string): void;
  /** Another variable of the chat is meant. */
  onRename(field: string): void;
};

function SubjectFields({ field, choices, onChoose, onRename }: SubjectProps) {
  const t = useTexts(filterTexts);
  const subjects = useSubjects(choices);
  const isKnown = subjects.some(({ items }) => items.some(({ value }) => value === field));
  const isVariable = !isKnown && field.startsWith(ownVariable);
  return (
    <>
      <Select
        aria-label={t.subject}
        data={
          isKnown || isVariable
            ? subjects
            : [...subjects, { group: t.groups.other, items: [{ value: field, label: nameOf(field) }] }]
        }
        value={isVariable ? ownVariable : field}
        onChange={(chosen) => onChoose(chosen ?? field)}
        searchable
        allowDeselect={false}
        w={{ base: '100%', xs: 175 }}
      />
      {isVariable && (
        <TextInput
          aria-label={t.variable}
          placeholder={t.variable}
          value={nameOf(field)}
          onChange={({ currentTarget }) => onRename(ownVariable + currentTarget.value)}
          w={{ base: '100%', xs: 150 }}
        />
      )}
    </>
  );
}

type LookupProps = { kind: FieldKind; lookup: Lookup; onChange(lookup: Lookup): void };

function LookupField({ kind, lookup, onChange }: LookupProps) {
  const t = useTexts(filterTexts);
  const label = (one: Lookup) =>
    kind === 'moment' && one === 'gte'
      ? t.since
      : kind === 'moment' && one === 'lt'
        ? t.before
        : t.lookups[one];
  return (
    <Select
      aria-label={t.lookup}
      data={lookupsOf[kind].map((one) => ({ value: one, label: label(one) }))}
      value={lookup}
      onChange={(chosen) => onChange(lookupsOf[kind].find((one) => one === chosen) ?? lookup)}
      allowDeselect={false}
      w={{ base: '100%', xs: 140 }}
    />
  );
}

const nameOf = (field: string): string => field.slice(field.indexOf(':') + 1);

type Option = { value: string; label: string };

/** The available fields, in groups. */
function useSubjects({ attributes }: Choices): { group: string; items: Option[] }[] {
  const t = useTexts(filterTexts);
  const named: Option[] = Object.entries(t.fields).map(([value, label]) => ({ value, label }));
  const ofChat = named.filter(({ value }) => value.startsWith(ownVariable));
  return [
    { group: t.groups.client, items: named.filter(({ value }) => !value.startsWith(ownVariable)) },
    ...(attributes.length > 0
      ? [
          {
            group: t.groups.attributes,
            items: attributes
              .map((name) => ({ value: `profile_attribute:${name}`, label: name }))
              .filter(({ value }) => !named.some((one) => one.value === value)),
          },
        ]
      : []),
    { group: t.groups.chat, items: [...ofChat, { value: ownVariable, label: t.ownVariable }] },
  ];
}
