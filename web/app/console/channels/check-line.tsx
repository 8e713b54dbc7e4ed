import { Alert, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useTexts, useWords } from '../../shared/language.tsx';
import { guideTexts } from './guide-texts.ts';
import type { Check } from './use-check.ts';

/** What the provider says about the entered values. */
export function CheckLine({ check }: { check: Check }) {
  return (
    <div role="status">
      <Said check={check} />
    </div>
  );
}

function Said({ check: { state, facts, refusal } }: { check: Check }) {
  const t = useTexts(guideTexts);
  const inWords = useWords();
  switch (state) {
    case 'idle':
      return null;
    case 'asking':
      return (
        <Group gap="xs">
          <Loader size="xs" />
          <Text size="sm">{t.asking}</Text>
        </Group>
      );
    case 'unasked':
      return <Text size="sm">{t.unasked}</Text>;
    case 'refused':
      return (
        <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          {refusal}
        </Alert>
      );
    case 'accepted':
      return (
        <Alert color="teal" variant="light" icon={<IconCircleCheck aria-hidden />}>
          <Text size="sm">{t.accepted}</Text>
          {facts.map(({ label, value }) => (
            <Text key={label.en} size="sm" fw={600}>
              {inWords(label)}: {value}
            </Text>
          ))}
        </Alert>
      );
  }
}
