import { SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { insightTexts } from './insight-texts.ts';
import type { Insight } from './use-insight.ts';

const periods = ['off', '1', '7', '30'] as const;

/** Chooses what the cards tell of the chats that follow the scenario. */
export function InsightFields({ insight, version }: { insight: Insight; version: number }) {
  const t = useTexts(insightTexts);
  const { number } = useFormat();
  const { days, setDays, chat, setChat, walks, walk } = insight;
  return (
    <Stack gap="sm" pt="md">
      <div>
        <Text size="sm" fw={500}>
          {t.numbers}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t.numbers}
          data={periods.map((value) => ({ value, label: t.periods[value] }))}
          value={days === null ? 'off' : String(days)}
          onChange={(value) => setDays(value === 'off' ? null : Number(value))}
        />
        <Text size="sm" c="dimmed">
          {t.numbersHint}
        </Text>
      </div>
      <Select
        label={t.walk}
        description={t.walkHint}
        placeholder={walks.length === 0 ? t.noWalks : t.chooseWalk}
        data={walks.map((one) => ({ value: one.chat, label: one.name ?? one.chat }))}
        value={chat}
        onChange={setChat}
        searchable
        clearable
        clearButtonProps={{ 'aria-hidden': true, tabIndex: -1 }}
      />
      {walk && walk.version !== version && <Text size="sm">{t.otherVersion(number(walk.version))}</Text>}
    </Stack>
  );
}
