import { Tabs } from '@mantine/core';
import type { ChatList } from '../../../../src/people/chat-center/schema.ts';
import { Count } from '../../shared/count.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { lists } from '../address.ts';
import { useCounts } from '../chats.ts';
import classes from './list.module.css';
import { listTexts } from './texts.ts';

/** The four lists. The badges count chats with a waiting client. */
export function ListTabs() {
  const t = useTexts(listTexts);
  const { number } = useFormat();
  const { data: counts } = useCounts();
  const waitingIn: Partial<Record<ChatList, number>> = {
    mine: counts?.mine_unread,
    waiting: counts?.waiting,
    all: counts?.unread,
  };
  return (
    <Tabs.List grow aria-label={t.lists} className={classes.tabs}>
      {lists.map((name) => {
        const count = waitingIn[name] ?? 0;
        return (
          <Tabs.Tab
            key={name}
            value={name}
            className={classes.tab}
            rightSection={count > 0 && <Count of={count} label={t.unread(number(count))} />}
          >
            {t[name]}
          </Tabs.Tab>
        );
      })}
    </Tabs.List>
  );
}
