import { Badge, Card, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { type Icon, IconCheck } from '@tabler/icons-react';
import type { PropsWithChildren } from 'react';
import { useTexts } from '../../shared/language.tsx';
import { home } from './texts.ts';

type StepProps = PropsWithChildren<{ icon: Icon; title: string; text: string; isDone: boolean }>;

export function Step({ icon: StepIcon, title, text, isDone, children }: StepProps) {
  const t = useTexts(home);
  return (
    <Card component="li" withBorder>
      <Group align="flex-start" wrap="nowrap">
        <ThemeIcon size={44} radius="xl" variant={isDone ? 'filled' : 'light'} aria-hidden>
          {isDone ? <IconCheck /> : <StepIcon />}
        </ThemeIcon>
        <Stack gap="xs" flex={1} miw={0}>
          <Group gap="sm">
            <Title order={2} size="h4">
              {title}
            </Title>
            <Badge variant={isDone ? 'filled' : 'default'}>{isDone ? t.done : t.open}</Badge>
          </Group>
          <Text>{text}</Text>
          <Group gap="sm">{children}</Group>
        </Stack>
      </Group>
    </Card>
  );
}
