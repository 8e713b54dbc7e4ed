import { Button, Group } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { ChatEntry } from '../../../../src/people/chat-center/schema.ts';
import { useAction } from '../../shared/action.ts';
import { useTexts } from '../../shared/language.tsx';
import { useDesk } from '../desk.tsx';
import { useKeys } from '../shell/keys.ts';
import { actionTexts } from './texts.ts';

const PassModal = lazy(() => import('./pass-modal.tsx'));
const CloseModal = lazy(() => import('./close-modal.tsx'));

/** Buttons to take, transfer and close the chat, each shown only while it is possible. */
export function ChatActions({ chat }: { chat: ChatEntry }) {
  const t = useTexts(actionTexts);
  const { account, act } = useDesk();
  const { busy, run: take } = useAction(() => act(chat.uuid, 'take'));
  const [dialog, setDialog] = useState<'pass' | 'close' | null>(null);
  const isMine = chat.session?.operator?.uuid === account.operator.uuid;
  // Closing a chat that no operator has taken marks it as needing no reply.
  const canClose = chat.session !== null || chat.unread > 0;

  useKeys({
    'Alt+T': () => void (isMine || busy || take()),
    'Alt+C': () => canClose && setDialog('close'),
  });
  return (
    <Group gap={6} wrap="nowrap">
      {!isMine && (
        <Button size="xs" onClick={take} loading={busy} aria-keyshortcuts="Alt+T">
          {t.take}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={() => setDialog('pass')}>
        {t.pass}
      </Button>
      {canClose && (
        <Button size="xs" variant="default" onClick={() => setDialog('close')} aria-keyshortcuts="Alt+C">
          {t.close}
        </Button>
      )}
      <Suspense>
        {dialog === 'pass' && <PassModal chat={chat} onClose={() => setDialog(null)} />}
        {dialog === 'close' && <CloseModal chat={chat} onClose={() => setDialog(null)} />}
      </Suspense>
    </Group>
  );
}
