import {
  Button,
  Center,
  Code,
  CopyButton,
  Group,
  Loader,
  Stack,
  Text,
  ThemeIcon,
  Title,
} from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { PropsWithChildren, ReactNode } from 'react';
import { useTexts } from './language.tsx';
import { common } from './texts.ts';

/** The head of a page: title, description and actions. */
export function PageHead({
  title,
  lead,
  children,
}: PropsWithChildren<{ title: ReactNode; lead?: ReactNode }>) {
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="md">
      <Stack gap={4} maw={720}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {lead && <Text c="dimmed">{lead}</Text>}
      </Stack>
      {children && <Group gap="sm">{children}</Group>}
    </Group>
  );
}

/** Shown instead of an empty list: its purpose, and a first step. */
export function Empty({ icon, title, children }: PropsWithChildren<{ icon: ReactNode; title: string }>) {
  return (
    <Center py={64}>
      <Stack align="center" gap="sm" maw={440} ta="center">
        <ThemeIcon size={56} radius="xl" variant="light" aria-hidden>
          {icon}
        </ThemeIcon>
        <Text fw={600}>{title}</Text>
        {children}
      </Stack>
    </Center>
  );
}

/** A placeholder for content that is loading, so that nothing moves. */
export function Loading({ height = 240 }: { height?: number }) {
  const t = useTexts(common);
  return (
    <Center mih={height} role="status" aria-label={t.loading}>
      <Loader />
    </Center>
  );
}

export function CopyText({ value, label }: { value: string; label?: string }) {
  const t = useTexts(common);
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          size="compact-sm"
          variant="default"
          onClick={copy}
          leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        >
          {copied ? t.copied : (label ?? t.copy)}
        </Button>
      )}
    </CopyButton>
  );
}

/** A secret that is shown only once. `note` replaces the default text if the server stores more than a hash. */
export function SecretText({ value, note }: { value: string; note?: string }) {
  const t = useTexts(common);
  return (
    <Stack gap={4}>
      <Group gap="xs" wrap="nowrap">
        <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {value}
        </Code>
        <CopyText value={value} />
      </Group>
      <Text size="sm" c="dimmed">
        {note ?? t.shownOnce}
      </Text>
    </Stack>
  );
}
