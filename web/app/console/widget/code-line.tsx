import { Code, Group, Stack, Text } from '@mantine/core';
import { CopyText } from '../../shared/page-parts.tsx';

/** A line of code with a copy button. */
export function CodeLine({ label, code }: { label: string; code: string }) {
  return (
    <Stack gap={6}>
      <Group justify="space-between">
        <Text fw={500}>{label}</Text>
        <CopyText value={code} />
      </Group>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {code}
      </Code>
    </Stack>
  );
}
