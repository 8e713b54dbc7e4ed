import { Stack, Title } from '@mantine/core';
import type { PropsWithChildren } from 'react';

/** A part of a channel's page. */
export function Part({ title, children }: PropsWithChildren<{ title: string }>) {
  return (
    <Stack component="section" gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}
