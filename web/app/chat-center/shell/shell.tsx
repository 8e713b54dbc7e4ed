import { lazy, Suspense, useState } from 'react';
import type { Account } from '../../../../src/people/console/account/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { go, usePlace } from '../address.ts';
import { ClientColumn } from '../client/client-column.tsx';
import { ConversationColumn } from '../conversation/conversation-column.tsx';
import { ChatListColumn } from '../list/chat-list.tsx';
import { focusOpenRow, moveFocus } from '../list/focus.ts';
import { focusSearch } from '../list/search-field.tsx';
import { useLive } from '../live/use-live.ts';
import { Header } from './header.tsx';
import { useKeys } from './keys.ts';
import { useOnlyClient } from './only-client.ts';
import classes from './shell.module.css';
import { shellTexts } from './texts.ts';
import { useTitle } from './title.ts';

const Shortcuts = lazy(() => import('./shortcuts.tsx'));
const QuickAnswersModal = lazy(() => import('../composer/quick-answers-modal.tsx'));

/** The whole window: three columns, or as many as fit. */
export function Shell({ person }: { person: Account | undefined }) {
  const t = useTexts(shellTexts);
  const { chat, client } = usePlace();
  const [dialog, setDialog] = useState<'shortcuts' | 'quick answers' | null>(null);
  const close = () => setDialog(null);
  useLive();
  useTitle();
  useOnlyClient();
  useKeys({
    '/': focusSearch,
    '?': () => setDialog('shortcuts'),
    ArrowDown: () => moveFocus(1),
    ArrowUp: () => moveFocus(-1),
    Escape: () => {
      go(client ? { client: false } : { chat: '' });
      focusOpenRow(chat);
    },
  });
  return (
    <main className={classes.shell}>
      <Header
        person={person}
        onShortcuts={() => setDialog('shortcuts')}
        onQuickAnswers={() => setDialog('quick answers')}
      />
      <div className={classes.columns} data-view={chat ? (client ? 'client' : 'chat') : 'list'}>
        <section className={`${classes.column} ${classes.list}`} aria-label={t.list}>
          <ChatListColumn />
        </section>
        <section className={`${classes.column} ${classes.conversation}`} aria-label={t.conversation}>
          <ConversationColumn />
        </section>
        <section className={`${classes.column} ${classes.client}`} aria-label={t.client}>
          <ClientColumn />
        </section>
      </div>
      <Suspense>
        {dialog === 'shortcuts' && <Shortcuts onClose={close} />}
        {dialog === 'quick answers' && <QuickAnswersModal onClose={close} />}
      </Suspense>
    </main>
  );
}
