import { Button, Stack, Text } from '@mantine/core';
import { IconMessageCircle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ChatEntry } from '../../../../src/people/chat-center/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { Empty, Loading } from '../../shared/page-parts.tsx';
import { LoadProblem } from '../../shared/problem.tsx';
import { actionTexts } from '../actions/texts.ts';
import { go, usePlace } from '../address.ts';
import { useChat } from '../chats.ts';
import { Composer } from '../composer/composer.tsx';
import { DropZone } from '../composer/drop-zone.tsx';
import { useDesk } from '../desk.tsx';
import { useNotice } from '../notice.ts';
import { shellTexts } from '../shell/texts.ts';
import { Head } from './head.tsx';
import { Log } from './log.tsx';

/** The second column: the open chat. */
export function ConversationColumn() {
  const { chat } = usePlace();
  const t = useTexts(shellTexts);
  if (chat) return <Conversation key={chat} uuid={chat} />;
  return (
    <Empty icon={<IconMessageCircle />} title={t.choose}>
      <Text size="sm">{t.chooseHint}</Text>
    </Empty>
  );
}

function Conversation({ uuid }: { uuid: string }) {
  const t = useTexts(shellTexts);
  const chat = useChat(uuid);
  useTakenWord(chat.data);
  if (chat.isPending) return <Loading height={400} />;
  if (chat.isError && !chat.data) {
    return (
      <Stack p="md" align="flex-start">
        <LoadProblem error={chat.error} onRetry={chat.refetch} />
        <Button variant="default" onClick={() => go({ chat: '' })}>
          {t.toList}
        </Button>
      </Stack>
    );
  }
  return (
    <DropZone chat={uuid}>
      <Head chat={chat.data} />
      <Log chat={chat.data} />
      <Composer chat={chat.data} />
    </DropZone>
  );
}

/** Announces that a colleague takes the open chat. */
function useTakenWord(chat: ChatEntry | undefined): void {
  const t = useTexts(actionTexts);
  const notice = useNotice();
  const { account } = useDesk();
  const before = useRef<string | null | undefined>(undefined);
  const operator = chat && (chat.session?.operator ?? null);
  useEffect(() => {
    if (operator === undefined) return;
    const isColleague = operator !== null && operator.uuid !== account.operator.uuid;
    if (isColleague && before.current !== undefined && before.current !== operator.name)
      notice(t.taken(operator.name));
    before.current = operator?.name ?? null;
  }, [operator, account, t, notice]);
}
