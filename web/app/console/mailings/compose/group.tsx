import { Button, Paper, Group as Row, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useTexts } from '../../../shared/language.tsx';
import { ConditionFields } from './condition.tsx';
import { type Condition, type Group, isGroup, newCondition, newGroup } from './filter.ts';
import { filterTexts } from './filter-texts.ts';

const deepest = 4;

/** A group of conditions, joined by all or any, with nested groups. */
export function GroupFields({
  group,
  choices,
  depth,
  onChange,
  onRemove,
}: {
  group: Group;
  choices: Choices;
  depth: number;
  onChange(group: Group): void;
  onRemove?: () => void;
}) {
  const t = useTexts(filterTexts);
  const put = (items: Group['items']) => onChange({ ...group, items });
  const replace = (changed: Group | Condition) =>
    put(group.items.map((item) => (item.id === changed.id ? changed : item)));
  const remove = (id: number) => put(group.items.filter((item) => item.id !== id));
  return (
    <Paper withBorder={depth > 0} p={depth > 0 ? 'sm' : 0} role="group" aria-label={t.group}>
      <Stack gap="sm">
        <Row justify="space-between">
          <SegmentedControl
            size="xs"
            aria-label={t.group}
            data={[
              { value: 'all', label: t.joins.all },
              { value: 'any', label: t.joins.any },
            ]}
            value={group.join}
            onChange={(join) => onChange({ ...group, join: join === 'any' ? 'any' : 'all' })}
          />
          {onRemove && (
            <Button variant="subtle" size="xs" onClick={onRemove}>
              {t.removeGroup}
            </Button>
          )}
        </Row>
        {group.items.length === 0 && <Text size="sm">{group.join === 'all' ? t.everybody : t.nobody}</Text>}
        {group.items.map((item) =>
          isGroup(item) ? (
            <GroupFields
              key={item.id}
              group={item}
              choices={choices}
              depth={depth + 1}
              onChange={replace}
              onRemove={() => remove(item.id)}
            />
          ) : (
            <ConditionFields
              key={item.id}
              condition={item}
              choices={choices}
              onChange={replace}
              onRemove={() => remove(item.id)}
            />
          ),
        )}
        <AddItem group={group} depth={depth} onAdd={(item) => put([...group.items, item])} />
      </Stack>
    </Paper>
  );
}

type AddItemProps = { group: Group; depth: number; onAdd(item: Group | Condition): void };

function AddItem({ group, depth, onAdd }: AddItemProps) {
  const t = useTexts(filterTexts);
  return (
    <Row gap="xs">
      <AddButton label={t.addCondition} onClick={() => onAdd(newCondition())} />
      {depth < deepest && (
        <AddButton
          label={t.addGroup}
          onClick={() => onAdd(newGroup(group.join === 'all' ? 'any' : 'all', [newCondition()]))}
        />
      )}
    </Row>
  );
}

const AddButton = ({ label, onClick }: { label: string; onClick(): void }) => (
  <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={onClick}>
    {label}
  </Button>
);
