import { Badge, Code, Group, Paper, Text, ThemeIcon } from '@mantine/core';
import {
  IconDoorEnter,
  IconDoorExit,
  IconMessage,
  IconMessageReply,
  IconNote,
  IconTicket,
} from '@tabler/icons-react';
import type { TimelineEntry } from '../../../../src/people/console/profiles/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { messageStates } from '../../shared/message-states.ts';
import { platformName } from '../../shared/platforms.ts';
import { timelineTexts } from './timeline-texts.ts';

type Words = (typeof timelineTexts)['en'];

export function Entry({ entry }: { entry: TimelineEntry }) {
  const t = useTexts(timelineTexts);
  const format = useFormat();
  return (
    <Paper component="li" withBorder p="sm">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <ThemeIcon variant="light" aria-hidden>
          <EntryIcon entry={entry} />
        </ThemeIcon>
        <div style={{ minWidth: 0, flex: 1 }}>
          <Group justify="space-between" gap="xs">
            <Text fw={600} size="sm">
              {headOf(entry, t)}
            </Text>
            <Text size="sm" c="dimmed" title={format.moment(entry.at)}>
              {format.ago(entry.at)} · {t.on(platformName(entry.chat.platform))}
            </Text>
          </Group>
          <Body entry={entry} />
          <Marks entry={entry} />
        </div>
      </Group>
    </Paper>
  );
}

function EntryIcon({ entry: { kind, direction } }: { entry: TimelineEntry }) {
  switch (kind) {
    case 'message':
      return direction === 'in' ? <IconMessageReply size={16} /> : <IconMessage size={16} />;
    case 'note':
      return <IconNote size={16} />;
    case 'session_opened':
      return <IconDoorEnter size={16} />;
    case 'session_closed':
      return <IconDoorExit size={16} />;
    case 'promocode':
      return <IconTicket size={16} />;
  }
}

function headOf({ kind, source, author, title, mailing }: TimelineEntry, t: Words): string {
  switch (kind) {
    case 'message': {
      const from = Object.entries(t.sources).find(([name]) => name === source)?.[1] ?? t.client;
      const who = mailing?.name ?? author;
      return who ? t.from(from, who) : from;
    }
    case 'note':
      return t.note(author ?? '–');
    case 'session_opened':
    case 'session_closed': {
      const head = (kind === 'session_opened' ? t.opened : t.closed)(title ?? '');
      return author ? `${head}, ${t.with(author)}` : head;
    }
    case 'promocode':
      return t.code(title ?? '–');
  }
}

function Body({ entry: { kind, text, content_type } }: { entry: TimelineEntry }) {
  const t = useTexts(timelineTexts);
  if (kind === 'promocode') return <Code>{text}</Code>;
  if (text) {
    return (
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} lineClamp={8}>
        {text}
      </Text>
    );
  }
  if (kind !== 'message') return null;
  const named = Object.entries(t.kinds).find(([name]) => name === content_type);
  return (
    <Text size="sm" fs="italic">
      {named?.[1] ?? t.kinds.other}
    </Text>
  );
}

/** The delivery state of a message, and the client's reactions. */
function Marks({ entry }: { entry: TimelineEntry }) {
  const t = useTexts(timelineTexts);
  const states = useTexts(messageStates);
  const format = useFormat();
  const state = Object.entries(states).find(([name]) => name === entry.state)?.[1];
  const reactions = [
    [t.replied, entry.replied_at],
    [t.clicked, entry.clicked_at],
    [t.jumped, entry.jumped_at],
  ] as const;
  const done = reactions.filter(([, at]) => at !== null);
  if (!state && done.length === 0) return null;
  return (
    <Group gap={4} mt={4}>
      {state && (
        <Badge variant="default" tt="none" title={entry.state_detail ?? undefined}>
          {state}
        </Badge>
      )}
      {done.map(([word, at]) => (
        <Badge key={word} variant="outline" tt="none" title={format.moment(at)}>
          {word}
        </Badge>
      ))}
    </Group>
  );
}
