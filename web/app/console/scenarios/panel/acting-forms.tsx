import {
  Autocomplete,
  Fieldset,
  Group,
  SegmentedControl,
  Select,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import { type Group as FilterGroup, fromJson, newGroup, toJson } from '../../mailings/compose/filter.ts';
import { GroupFields } from '../../mailings/compose/group.tsx';
import { isObject } from '../source.ts';
import {
  DurationFields,
  type FormProps,
  Items,
  listOf,
  Pairs,
  RemoveButton,
  textOf,
  Words,
} from './fields.tsx';
import { panelTexts } from './texts.ts';

/** The forms of the steps that do something without the client. */

const noChoices: Choices = {
  scenarios: [],
  templates: [],
  promocode_groups: [],
  audiences: [],
  tags: [],
  attributes: [],
  platforms: [],
  topics: [],
};

export function BranchForm({ step, set, choices = noChoices }: FormProps & { choices: Choices | undefined }) {
  const t = useTexts(panelTexts);
  const cases = listOf(step.cases);
  return (
    <Items
      legend={t.cases}
      hint={t.caseHint}
      addLabel={t.addCase}
      onAdd={() => set(['cases', cases.length], { when: { all: [] } })}
    >
      {cases.map((one, index) => (
        <Fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: a case is known by its place.
          key={`${cases.length}-${index}`}
          legend={
            <Group gap={4}>
              {t.case(index + 1)}
              <RemoveButton
                label={t.removeCase(index + 1)}
                onClick={() => set(['cases', index], undefined)}
              />
            </Group>
          }
          p="xs"
        >
          <CaseForm
            label={t.case(index + 1)}
            when={one.when}
            choices={choices}
            onChange={(when) => set(['cases', index, 'when'], when)}
          />
        </Fieldset>
      ))}
    </Items>
  );
}

type CaseProps = { when: unknown; choices: Choices; onChange(when: object): void };

/** Conditions, or a saved audience by its name. */
function CaseForm({ label, when, choices, onChange }: CaseProps & { label: string }) {
  const t = useTexts(panelTexts);
  const audience = audienceIn(when);
  return (
    <Stack gap="xs">
      {(audience !== null || choices.audiences.length > 0) && (
        <SegmentedControl
          aria-label={`${label}: ${t.caseKind}`}
          value={audience === null ? 'filter' : 'audience'}
          data={[
            { value: 'filter', label: t.caseFilter },
            { value: 'audience', label: t.caseAudience },
          ]}
          onChange={(kind) =>
            onChange(kind === 'filter' ? { all: [] } : { audience: choices.audiences[0] ?? '' })
          }
        />
      )}
      {audience === null ? (
        <CaseFields when={when} choices={choices} onChange={onChange} />
      ) : (
        <Select
          label={t.audience}
          data={[...new Set([...choices.audiences, audience])]}
          value={audience}
          allowDeselect={false}
          onChange={(name) => name !== null && onChange({ audience: name })}
        />
      )}
    </Stack>
  );
}

const audienceIn = (when: unknown): string | null =>
  isObject(when) && typeof when.audience === 'string' ? when.audience : null;

/** The builder keeps conditions that are not complete; the text gets the complete ones. */
function CaseFields({ when, choices, onChange }: CaseProps) {
  const t = useTexts(panelTexts);
  const [built, setBuilt] = useState<FilterGroup | null>(null);
  const isCurrent = built !== null && JSON.stringify(toJson(built)) === JSON.stringify(when);
  const group = isCurrent ? built : groupOf(when);
  if (!group) return <Text size="sm">{t.caseJson}</Text>;
  return (
    <GroupFields
      group={group}
      choices={choices}
      depth={0}
      onChange={(changed) => {
        setBuilt(changed);
        onChange(toJson(changed));
      }}
    />
  );
}

/** A case may be a single condition. The builder shows it as a group of one. */
const groupOf = (when: unknown): FilterGroup | null => {
  const read = fromJson(when) ?? fromJson({ all: [when] });
  return read && read.items.length === 0 ? newGroup(read.join) : read;
};

export function SetForm({
  step,
  set,
  variables,
  choices = noChoices,
}: FormProps & { choices: Choices | undefined }) {
  const t = useTexts(panelTexts);
  const tags = (field: 'add_tags' | 'remove_tags', label: string) => (
    <TagsInput
      label={label}
      placeholder={t.tagHint}
      data={choices.tags}
      value={Array.isArray(step[field]) ? step[field].map(String) : []}
      onChange={(value) => set([field], value.length === 0 ? undefined : value)}
    />
  );
  return (
    <Stack gap="sm">
      <Pairs
        legend={t.variables}
        value={step.variables}
        variables={variables}
        onChange={(value) => set(['variables'], value)}
      />
      <Pairs
        legend={t.attributes}
        value={step.attributes}
        variables={variables}
        onChange={(value) => set(['attributes'], value)}
      />
      {tags('add_tags', t.addTags)}
      {tags('remove_tags', t.removeTags)}
    </Stack>
  );
}

const waits = ['for', 'at', 'until'] as const;
const firstWaits = { for: { hours: 1 }, at: '09:00', until: '' } as const;

export function WaitForm({ step, set, variables }: FormProps) {
  const t = useTexts(panelTexts);
  const kind = waits.find((one) => step[one] !== undefined) ?? 'for';
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        aria-label={t.waitKind}
        data={waits.map((value) => ({ value, label: t.waits[value] }))}
        value={kind}
        onChange={(value) => {
          const to = waits.find((one) => one === value) ?? 'for';
          set([kind], undefined);
          set([to], firstWaits[to]);
        }}
      />
      {kind === 'for' && (
        <DurationFields label={t.waitKind} value={step.for} onChange={(duration) => set(['for'], duration)} />
      )}
      {kind === 'at' && (
        <TextInput
          type="time"
          label={t.waitAt}
          value={textOf(step.at)}
          onChange={(event) => set(['at'], event.currentTarget.value)}
        />
      )}
      {kind === 'until' && (
        <Words
          label={t.waitUntil}
          value={textOf(step.until)}
          variables={variables}
          isLong={false}
          onChange={(text) => set(['until'], text)}
        />
      )}
    </Stack>
  );
}

export function PromocodeForm({
  step,
  set,
  choices = noChoices,
}: FormProps & { choices: Choices | undefined }) {
  const t = useTexts(panelTexts);
  return (
    <Stack gap="sm">
      <Autocomplete
        label={t.group}
        data={choices.promocode_groups}
        value={textOf(step.group)}
        onChange={(value) => set(['group'], value)}
      />
      <TextInput
        label={t.variable}
        description={t.variableHint}
        value={textOf(step.variable)}
        onChange={(event) => set(['variable'], event.currentTarget.value)}
      />
    </Stack>
  );
}

export function GotoForm({ step, set, choices = noChoices }: FormProps & { choices: Choices | undefined }) {
  const t = useTexts(panelTexts);
  const kind = step.scenario === undefined ? 'step' : 'scenario';
  return (
    <Stack gap="sm">
      <SegmentedControl
        size="xs"
        orientation="vertical"
        aria-label={t.goesTo}
        data={[
          { value: 'step', label: t.goes.step },
          { value: 'scenario', label: t.goes.scenario },
        ]}
        value={kind}
        onChange={(value) => {
          set([kind], undefined);
          if (value === 'scenario') set(['scenario'], '');
        }}
      />
      {kind === 'scenario' && (
        <Select
          label={t.scenario}
          data={[...new Set([...choices.scenarios.map(({ name }) => name), textOf(step.scenario)])].filter(
            Boolean,
          )}
          value={textOf(step.scenario) || null}
          searchable
          onChange={(value) => set(['scenario'], value ?? '')}
        />
      )}
    </Stack>
  );
}
