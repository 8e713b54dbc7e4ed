import { Group, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconClock } from '@tabler/icons-react';
import type { ListedTemplate } from '../../../../src/people/console/templates/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { templateTexts } from './texts.ts';

const icons = { approved: IconCircleCheck, pending: IconClock, rejected: IconCircleX } as const;

/** WhatsApp's approval state, in words. */
export function Approval({ approval }: Pick<ListedTemplate, 'approval'>) {
  const t = useTexts(templateTexts);
  const Icon = icons[approval];
  return (
    <Group gap={6} wrap="nowrap">
      <Icon size={16} aria-hidden />
      <Text size="sm">{t[approval]}</Text>
    </Group>
  );
}
