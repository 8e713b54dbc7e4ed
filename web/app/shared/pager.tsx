import { Button, Group, Text } from '@mantine/core';
import { useFormat, useTexts } from './language.tsx';
import { common } from './texts.ts';

/** A page of the API: `{count, next, previous, results}`. */
export type Page<Item> = { count: number; results: Item[] };

export const pageSize = 25;

/** Navigation through the pages of a list, newest first. Hidden if one page holds all items. */
export function Pager({
  count,
  offset,
  size = pageSize,
  onMove,
}: {
  count: number;
  offset: number;
  size?: number;
  onMove(offset: number): void;
}) {
  const t = useTexts(common);
  const { number } = useFormat();
  if (count <= size && offset === 0) return null;
  const last = Math.min(offset + size, count);
  return (
    <Group justify="space-between" mt="md">
      <Text size="sm" c="dimmed">
        {t.page(number(Math.min(offset + 1, count)), number(last), number(count))}
      </Text>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          disabled={offset === 0}
          onClick={() => onMove(Math.max(0, offset - size))}
        >
          {t.newer}
        </Button>
        <Button variant="default" size="xs" disabled={last >= count} onClick={() => onMove(offset + size)}>
          {t.older}
        </Button>
      </Group>
    </Group>
  );
}
