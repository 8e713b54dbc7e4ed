import { Group, Text } from '@mantine/core';
import { type Icon, IconAlertTriangle, IconCheck, IconChecks, IconClock } from '@tabler/icons-react';
import type { TimelineEntry } from '../../../../src/people/chat-center/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { messageStates } from '../../shared/message-states.ts';
import classes from './conversation.module.css';

type State = NonNullable<NonNullable<TimelineEntry['message']>['state']>;

const icons: Record<State['code'], Icon> = {
  PENDING: IconClock,
  IN_PROCESS: IconClock,
  SENT: IconCheck,
  DELIVERED: IconChecks,
  READ: IconChecks,
  UNDELIVERED: IconAlertTriangle,
  CANCELLED: IconAlertTriangle,
  ERROR: IconAlertTriangle,
};

/** The delivery state of a message: an icon, and a text for errors. */
export function DeliveryMark({ state: { code, detail } }: { state: State }) {
  const states = useTexts(messageStates);
  const Icon = icons[code];
  const word = states[code];
  if (Icon !== IconAlertTriangle) {
    return (
      <Icon
        size={16}
        role="img"
        title={word}
        className={classes.mark}
        data-read={code === 'READ' || undefined}
      />
    );
  }
  return (
    <Group gap={4} wrap="nowrap" component="span" className={classes.failed}>
      <Icon size={16} aria-hidden style={{ flexShrink: 0 }} />
      <Text span size="xs">
        {detail ? `${word}: ${detail}` : word}
      </Text>
    </Group>
  );
}
