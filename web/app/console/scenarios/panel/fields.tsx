import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  Menu,
  NumberInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconBraces, IconPlus, IconX } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { useTexts } from '../../../shared/language.tsx';
import type { Raw } from '../canvas/graph.ts';
import { canvasTexts } from '../canvas/texts.ts';
import { durationOf } from '../canvas/words.ts';
import { isObject } from '../source.ts';
import { panelTexts } from './texts.ts';
import type { Variable } from './variables.ts';

/** What every form of a step gets. An undefined value removes the field. */
export type FormProps = {
  step: Raw;
  set(path: readonly (string | number)[], value: unknown): void;
  variables: readonly Variable[];
};

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const listOf = (value: unknown): Raw[] => (Array.isArray(value) ? value.filter(isObject) : []);
export const orNothing = (text: string): string | undefined => (text === '' ? undefined : text);

type WordsProps = {
  label: string;
  value: string;
  onChange(text: string): void;
  variables: readonly Variable[];
  isLong?: boolean;
  error?: string;
};

/** A text with a list of the values that it can show. */
export function Words({ label, value, onChange, variables, isLong = true, error }: WordsProps) {
  const field = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  function insert(name: string) {
    const { selectionStart, selectionEnd } = field.current ?? {};
    const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
    onChange(`${value.slice(0, from)}{{${name}}}${value.slice(to)}`);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(from + name.length + 4, from + name.length + 4);
    });
  }
  const shared = {
    ref: field,
    label,
    value,
    error,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
    rightSection: <ValueMenu label={label} variables={variables} onChoose={insert} />,
  };
  return isLong ? (
    <Textarea
      {...shared}
      autosize
      minRows={3}
      maxRows={12}
      rightSectionProps={{ style: { alignItems: 'start', paddingTop: 4 } }}
    />
  ) : (
    <TextInput {...shared} />
  );
}

function ValueMenu({
  label,
  variables,
  onChoose,
}: {
  label: string;
  variables: readonly Variable[];
  onChoose(name: string): void;
}) {
  const t = useTexts(panelTexts);
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <ActionIcon variant="subtle" aria-label={`${label}: ${t.value}`}>
          <IconBraces size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        <Menu.Label>{t.value}</Menu.Label>
        {variables.map(({ name, from }) => (
          <Menu.Item key={name} py={4} onClick={() => onChoose(name)}>
            {name}
            <Text size="xs" c="dimmed" span display="block">
              {from}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const units = ['days', 'hours', 'minutes', 'seconds'] as const;

/** A duration by its parts, and in words. */
export function DurationFields({
  label,
  value,
  onChange,
}: {
  label: string;
  value: unknown;
  onChange(duration: object): void;
}) {
  const t = useTexts(panelTexts);
  const words = useTexts(canvasTexts);
  const duration: Raw = isObject(value) ? value : {};
  return (
    <Fieldset legend={label} variant="unstyled">
      <Group gap="xs" grow>
        {units.map((unit) => (
          <NumberInput
            key={unit}
            label={t.units[unit]}
            size="xs"
            min={0}
            allowNegative={false}
            value={typeof duration[unit] === 'number' ? duration[unit] : ''}
            onChange={(count) => {
              const { [unit]: _, ...others } = duration;
              onChange(Number(count) > 0 ? { ...duration, [unit]: Number(count) } : others);
            }}
          />
        ))}
      </Group>
      <Text size="sm" mt={4}>
        {t.duration(durationOf(duration, words))}
      </Text>
    </Fieldset>
  );
}

/** The parts of a list, each with its fields, and a button for another. */
export function Items({
  legend,
  hint,
  addLabel,
  onAdd,
  children,
}: {
  legend: string;
  hint?: string;
  addLabel: string;
  onAdd(): void;
  children: ReactNode;
}) {
  return (
    <Fieldset legend={legend}>
      <Stack gap="xs">
        {hint && <Text size="sm">{hint}</Text>}
        {children}
        <div>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={onAdd}
          >
            {addLabel}
          </Button>
        </div>
      </Stack>
    </Fieldset>
  );
}

export const RemoveButton = ({ label, onClick }: { label: string; onClick(): void }) => (
  <ActionIcon variant="subtle" size="lg" aria-label={label} onClick={onClick}>
    <IconX size={16} aria-hidden />
  </ActionIcon>
);

type PairsProps = {
  legend: string;
  nameLabel?: string;
  valueLabel?: string;
  value: unknown;
  variables?: readonly Variable[];
  onChange(record: object | undefined): void;
  note?: (value: string) => string | undefined;
};

/** Names with values. A name is taken over when its field is left, so that no half of it replaces another. */
export function Pairs({ legend, nameLabel, valueLabel, value, variables, onChange, note }: PairsProps) {
  const t = useTexts(panelTexts);
  const [isAdding, setAdding] = useState(false);
  const entries = isObject(value) ? Object.entries(value) : [];
  const put = (pairs: [string, unknown][]) =>
    onChange(pairs.length === 0 ? undefined : Object.fromEntries(pairs));
  function rename(from: string, to: string) {
    if (to === '' || to === from || entries.some(([name]) => name === to)) return;
    put(entries.map(([name, one]) => [name === from ? to : name, one]));
  }
  return (
    <Items legend={legend} addLabel={t.addRow} onAdd={() => setAdding(true)}>
      {entries.map(([name, one]) => (
        <Group key={name} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            aria-label={`${legend}: ${nameLabel ?? t.rowName}`}
            defaultValue={name}
            onBlur={(event) => rename(name, event.currentTarget.value.trim())}
            flex={1}
          />
          <PairValue
            label={`${name}: ${valueLabel ?? t.rowValue}`}
            value={textOf(one)}
            variables={variables}
            description={note?.(textOf(one))}
            onChange={(text) => put(entries.map(([key, old]) => [key, key === name ? text : old]))}
          />
          <RemoveButton
            label={t.removeRow(name)}
            onClick={() => put(entries.filter(([key]) => key !== name))}
          />
        </Group>
      ))}
      {isAdding && (
        <TextInput
          aria-label={`${legend}: ${nameLabel ?? t.rowName}`}
          placeholder={nameLabel ?? t.rowName}
          autoFocus
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          onBlur={(event) => {
            const name = event.currentTarget.value.trim();
            setAdding(false);
            if (name !== '' && !entries.some(([key]) => key === name)) put([...entries, [name, '']]);
          }}
        />
      )}
    </Items>
  );
}

function PairValue({
  label,
  value,
  variables,
  description,
  onChange,
}: {
  label: string;
  value: string;
  variables: readonly Variable[] | undefined;
  description: string | undefined;
  onChange(text: string): void;
}) {
  return (
    <TextInput
      aria-label={label}
      value={value}
      description={description}
      inputWrapperOrder={['input', 'description']}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        variables && (
          <ValueMenu
            label={label}
            variables={variables}
            onChoose={(name) => onChange(`${value}{{${name}}}`)}
          />
        )
      }
      flex={1.4}
    />
  );
}
