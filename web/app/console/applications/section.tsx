import { Group, Stack, Text, Title } from '@mantine/core';
import type { PropsWithChildren, ReactNode } from 'react';

/** A section of the page: its heading, actions and content. */
export function Section({
  title,
  lead,
  action,
  children,
}: PropsWithChildren<{ title: string; lead: string; action: ReactNode }>) {
  return (
    <Stack component="section" gap="sm" aria-label={title}>
      <Group justify="space-between" align="flex-start">
        <Stack gap={4} maw={720}>
          <Title order={2} size="h3">
            {title}
          </Title>
          <Text c="dimmed">{lead}</Text>
        </Stack>
        {action}
      </Group>
      {children}
    </Stack>
  );
}
