import { Button, Loader, Tabs, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconMessages, IconSearchOff } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { useTexts } from '../../shared/language.tsx';
import { Empty, Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { common } from '../../shared/texts.ts';
import { go, isList, usePlace } from '../address.ts';
import { useChats } from '../chats.ts';
import { useDesk } from '../desk.tsx';
import { WhenSeen } from '../when-seen.tsx';
import { ChatRow } from './chat-row.tsx';
import { focusRow, moveFocus } from './focus.ts';
import classes from './list.module.css';
import { SearchField } from './search-field.tsx';
import { ListTabs } from './tabs.tsx';
import { listTexts } from './texts.ts';

const pauseMs = 250;

/** The first column: the lists of chats, and their search. */
export function ChatListColumn() {
  const { list } = usePlace();
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), pauseMs);
  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    if (event.target instanceof HTMLElement && event.target.closest('[role=tab]')) return;
    event.preventDefault();
    moveFocus(event.key === 'ArrowDown' ? 1 : -1);
  }
  return (
    <Tabs
      value={list}
      onChange={chooseList}
      className={classes.column}
      classNames={{ tabSection: classes.tabSection }}
      onKeyDown={onKeyDown}
    >
      <SearchField value={typed} onChange={setTyped} onEnter={() => focusRow(0)} />
      <ListTabs />
      <Tabs.Panel value={list} className={classes.scroll} data-scrolls>
        <Rows key={list} search={search} />
      </Tabs.Panel>
    </Tabs>
  );
}

function chooseList(name: string | null): void {
  if (name !== null && isList(name)) go({ list: name });
}

function Rows({ search }: { search: string }) {
  const t = useTexts(listTexts);
  const { more, loading } = useTexts(common);
  const { list, chat: openChat } = usePlace();
  const { account } = useDesk();
  const chats = useChats(list, search);
  if (chats.isPending) return <Loading />;
  if (chats.isError && !chats.data) return <LoadProblem error={chats.error} onRetry={chats.refetch} />;
  const entries = chats.data.pages.flatMap(({ results }) => results);
  if (entries.length === 0) {
    return search ? (
      <Empty icon={<IconSearchOff />} title={t.notFound}>
        <Text size="sm">{t.notFoundHint}</Text>
        {list !== 'all' && (
          <Button variant="default" size="xs" onClick={() => go({ list: 'all' })}>
            {t.everywhere}
          </Button>
        )}
      </Empty>
    ) : (
      <Empty icon={<IconMessages />} title={t.nothing[list]}>
        <Text size="sm">{t.hint[list]}</Text>
      </Empty>
    );
  }
  return (
    <>
      <ul className={classes.rows} aria-label={t[list]}>
        {entries.map((chat) => (
          <ChatRow
            key={chat.uuid}
            chat={chat}
            list={list}
            isOpen={chat.uuid === openChat}
            me={account.operator.uuid}
          />
        ))}
      </ul>
      {chats.hasNextPage && (
        <div className={classes.more}>
          <WhenSeen key={chats.data.pages.length} onSeen={() => void chats.fetchNextPage()} />
          {chats.isFetchingNextPage ? (
            <Loader size="sm" aria-label={loading} />
          ) : (
            <Button variant="subtle" size="xs" onClick={() => void chats.fetchNextPage()}>
              {more}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
