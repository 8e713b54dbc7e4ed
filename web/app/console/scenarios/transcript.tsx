import { Anchor, Button, Group, Paper, ScrollArea, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { PlayedScenario } from '../../../../src/people/console/scenarios/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { runnerTexts } from './runner-texts.ts';

type Entry = PlayedScenario['entries'][number];

/** The simulated conversation. The buttons of the last message can be clicked. */
export function Transcript({
  entries,
  canPress,
  onPress,
}: {
  entries: readonly Entry[];
  canPress: boolean;
  onPress(button: string): void;
}) {
  const t = useTexts(runnerTexts);
  const viewport = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is new is below.
  useEffect(() => {
    viewport.current?.scrollTo({ top: viewport.current.scrollHeight });
  }, [entries]);
  const last = entries.findLastIndex(({ what }) => what === 'message');
  return (
    <Paper withBorder>
      <ScrollArea.Autosize
        mah={360}
        viewportRef={viewport}
        viewportProps={{ tabIndex: 0, role: 'log', 'aria-label': t.title }}
      >
        <Stack gap="xs" p="sm" mih={160}>
          {entries.map((entry, index) => (
            <Said
              // biome-ignore lint/suspicious/noArrayIndexKey: what has happened stays in its place.
              key={index}
              entry={entry}
              onPress={canPress && index === last ? onPress : undefined}
            />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Paper>
  );
}

function Said({ entry, onPress }: { entry: Entry; onPress?: (button: string) => void }) {
  const t = useTexts(runnerTexts);
  const format = useFormat();
  switch (entry.what) {
    case 'client':
      return (
        <Bubble who={t.client} isClient>
          {entry.text}
        </Bubble>
      );
    case 'message':
      return <Sent message={entry} onPress={onPress} />;
    case 'profile':
      return <Aside>{`${t.profile}: ${changes(entry)}`}</Aside>;
    case 'request':
      return <Aside>{t.request(`${entry.method} ${entry.url}`)}</Aside>;
    case 'operator':
      return <Aside>{t.operator([entry.title, entry.team].filter(Boolean).join(', '))}</Aside>;
    case 'time':
      return <Aside>{t.time(format.moment(entry.at))}</Aside>;
    case 'scenario':
      return <Aside>{t.scenario(entry.name)}</Aside>;
    case 'unheard':
      return <Aside>{t.unheard}</Aside>;
    case 'end':
      return <Aside>{t.end}</Aside>;
    case 'failure':
      return <Aside>{t.failure(entry.reason)}</Aside>;
    case 'mismatch':
      return <Aside>{t.mismatch(format.number(entry.line), entry.text)}</Aside>;
  }
}

type Message = Extract<Entry, { what: 'message' }>;

function Sent({ message, onPress }: { message: Message; onPress?: (button: string) => void }) {
  const t = useTexts(runnerTexts);
  return (
    <Bubble who={t.bot}>
      {message.url && (
        <div>
          <Anchor href={message.url} target="_blank" rel="noreferrer">
            {message.url}
          </Anchor>
        </div>
      )}
      {message.text}
      {message.buttons.length > 0 && (
        <Group gap={6} mt={6}>
          {message.buttons.map(({ text, payload, url }) =>
            url === undefined ? (
              <Button
                key={payload ?? text}
                size="compact-sm"
                variant="default"
                disabled={!onPress}
                onClick={() => onPress?.(payload ?? text)}
              >
                {text}
              </Button>
            ) : (
              <Anchor key={url} href={url} target="_blank" rel="noreferrer" size="sm">
                {text}
              </Anchor>
            ),
          )}
        </Group>
      )}
    </Bubble>
  );
}

function Bubble({
  who,
  isClient = false,
  children,
}: {
  who: string;
  isClient?: boolean;
  children: React.ReactNode;
}) {
  return (
    <Stack gap={2} align={isClient ? 'flex-end' : 'flex-start'}>
      <Text size="sm" c="dimmed">
        {who}
      </Text>
      <Paper
        px="sm"
        py={6}
        maw="85%"
        bg={isClient ? 'var(--mantine-color-teal-light)' : 'var(--mantine-color-default-hover)'}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {children}
      </Paper>
    </Stack>
  );
}

function Aside({ children }: { children: string }) {
  return (
    <Text size="sm" ta="center" fs="italic" style={{ overflowWrap: 'anywhere' }}>
      {children}
    </Text>
  );
}

function changes({ attributes, addTags, removeTags }: Extract<Entry, { what: 'profile' }>): string {
  const set = Object.entries(attributes).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [...set, ...addTags.map((tag) => `+${tag}`), ...removeTags.map((tag) => `−${tag}`)].join(', ');
}
