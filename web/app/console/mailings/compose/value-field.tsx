import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import { type Condition, kindOf } from './filter.ts';
import { filterTexts } from './filter-texts.ts';

const width = { base: '100%', xs: 190 };

/** The value field that fits the condition. */
export function ValueField({
  condition: { field, lookup, values },
  choices,
  onChange,
}: {
  condition: Condition;
  choices: Choices;
  onChange(values: string[]): void;
}) {
  const t = useTexts(filterTexts);
  const kind = kindOf(field);
  const [value = ''] = values;
  if (lookup === 'filled' || lookup === 'empty') return null;
  const known = kind === 'platform' ? choices.platforms : kind === 'tag' ? choices.tags : null;
  const options =
    known && [...new Set([...known, ...values])].map((one) => ({ value: one, label: labelOf(one, kind) }));
  if (lookup === 'in') {
    return options ? (
      <MultiSelect
        aria-label={t.values}
        data={options}
        value={values}
        onChange={onChange}
        searchable
        w={width}
      />
    ) : (
      <TagsInput
        aria-label={t.values}
        placeholder={t.addValue}
        value={values}
        onChange={onChange}
        w={width}
      />
    );
  }
  if (options && lookup === 'exact') {
    return (
      <Select
        aria-label={t.value}
        data={options.filter((option) => option.value !== '')}
        value={value || null}
        onChange={(chosen) => onChange(chosen === null ? [] : [chosen])}
        searchable
        w={width}
      />
    );
  }
  return (
    <TextInput
      aria-label={t.value}
      type={kind === 'moment' ? 'date' : 'text'}
      value={value}
      onChange={({ currentTarget }) => onChange([currentTarget.value])}
      w={width}
    />
  );
}

const labelOf = (value: string, kind: string): string =>
  kind === 'platform' ? value.replaceAll('_', ' ') : value;
