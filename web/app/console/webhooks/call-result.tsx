import { Code, Group, ScrollArea, Stack, Text } from '@mantine/core';
import type { TestCall } from '../../../../src/people/console/webhooks/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { webhooks } from './texts.ts';

/** The result of one call: status, duration and response. `at` makes it unique on the page. */
export function CallResult({ call, at = '' }: { call: TestCall; at?: string }) {
  const t = useTexts(webhooks);
  const { number } = useFormat();
  return (
    <Stack gap="xs">
      <Group gap="lg">
        <Text>
          {t.status}: <strong>{call.status ?? t.noAnswer}</strong>
        </Text>
        <Text>
          {t.duration}: {t.ms(number(call.duration_ms))}
        </Text>
      </Group>
      {call.error && <Text>{call.error}</Text>}
      {call.status !== null &&
        (call.answer === '' ? (
          <Text>{t.emptyAnswer}</Text>
        ) : (
          <Answer text={call.answer} label={`${t.answer} ${at}`} />
        ))}
    </Stack>
  );
}

function Answer({ text, label }: { text: string; label: string }) {
  const t = useTexts(webhooks);
  return (
    <>
      <Text size="sm">
        {t.answer}. {t.cut}
      </Text>
      <ScrollArea.Autosize mah={240} viewportProps={{ tabIndex: 0, 'aria-label': label, role: 'group' }}>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {text}
        </Code>
      </ScrollArea.Autosize>
    </>
  );
}
