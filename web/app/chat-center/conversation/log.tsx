import { Button, Loader } from '@mantine/core';
import { IconArrowDown } from '@tabler/icons-react';
import { type UIEvent, useEffect, useRef, useState } from 'react';
import type { ChatEntry } from '../../../../src/people/chat-center/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { useTimeline } from '../chats.ts';
import { useDesk } from '../desk.tsx';
import { useHeld } from '../kept.ts';
import { WhenSeen } from '../when-seen.tsx';
import classes from './conversation.module.css';
import { Entries } from './entries.tsx';
import { useReading } from './reading.ts';
import { conversationTexts } from './texts.ts';
import { TypingLine } from './typing-line.tsx';

/** Above this distance from the end, new messages do not scroll the reader down. */
const awayPx = 120;

/** The messages of a chat, newest at the bottom. Older pages load as the reader scrolls up. */
export function Log({ chat }: { chat: ChatEntry }) {
  const t = useTexts(conversationTexts);
  const { outbox } = useDesk();
  const timeline = useTimeline(chat.uuid);
  const outgoing = useHeld(outbox.held).filter((one) => one.chat === chat.uuid);
  const entries = timeline.data?.pages.toReversed().flatMap(({ results }) => results) ?? [];
  const newest = entries.at(-1)?.uuid;
  const { scroll, isAway, hasNews, look, toEnd } = useEnd(newest, outgoing.at(-1)?.id);
  useReading(chat, newest, !isAway);
  if (timeline.isPending) return <Loading height={400} />;
  if (timeline.isError && !timeline.data)
    return <LoadProblem error={timeline.error} onRetry={timeline.refetch} />;
  return (
    <div className={classes.log}>
      <div
        ref={scroll}
        className={classes.scroll}
        data-scrolls
        role="log"
        aria-label={t.history}
        aria-busy={timeline.isFetchingNextPage}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
        tabIndex={0}
        onScroll={look}
      >
        <div>
          {timeline.hasNextPage ? (
            <div className={classes.line}>
              <WhenSeen key={timeline.data.pages.length} onSeen={() => void timeline.fetchNextPage()} />
              <Loader size="sm" aria-label={t.loadingOlder} />
            </div>
          ) : (
            <p className={classes.line}>{t.begin}</p>
          )}
          <Entries entries={entries} outgoing={outgoing} />
          <TypingLine chat={chat.uuid} />
        </div>
      </div>
      {isAway && (
        <Button
          className={classes.pill}
          size="xs"
          radius="xl"
          variant={hasNews ? 'filled' : 'default'}
          onClick={toEnd}
          leftSection={<IconArrowDown size={16} aria-hidden />}
        >
          {hasNews ? t.newMessages : t.toEnd}
        </Button>
      )}
    </div>
  );
}

/** Whether the reader is at the end, and what has come since they were. */
function useEnd(newest: string | undefined, lastSent: string | undefined) {
  const scroll = useRef<HTMLDivElement>(null);
  const [isAway, setIsAway] = useState(false);
  const [seen, setSeen] = useState(newest);
  const toEnd = () => scroll.current?.scrollTo({ top: 0 });
  useEffect(() => {
    if (!isAway) setSeen(newest);
  }, [isAway, newest]);
  // One’s own message is what one wants to see.
  useEffect(() => {
    if (lastSent) scroll.current?.scrollTo({ top: 0 });
  }, [lastSent]);

  return {
    scroll,
    isAway,
    hasNews: seen !== newest,
    look: ({ currentTarget }: UIEvent<HTMLElement>) => setIsAway(currentTarget.scrollTop < -awayPx),
    toEnd,
  };
}
