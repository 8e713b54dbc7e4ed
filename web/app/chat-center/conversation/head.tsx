import { ActionIcon, Text } from '@mantine/core';
import { IconChevronLeft, IconUser } from '@tabler/icons-react';
import type { ChatEntry } from '../../../../src/people/chat-center/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { platformName } from '../../shared/platforms.ts';
import { ChatActions } from '../actions/chat-actions.tsx';
import { actionTexts } from '../actions/texts.ts';
import { go } from '../address.ts';
import { useDesk } from '../desk.tsx';
import shell from '../shell/shell.module.css';
import { shellTexts } from '../shell/texts.ts';
import classes from './conversation.module.css';

/** The client of the chat, and the available actions. */
export function Head({ chat }: { chat: ChatEntry }) {
  const t = useTexts(shellTexts);
  const holder = useHolder(chat);
  return (
    <div className={classes.head}>
      <ActionIcon
        className={shell.back}
        variant="subtle"
        aria-label={t.toList}
        onClick={() => go({ chat: '', client: false })}
      >
        <IconChevronLeft aria-hidden />
      </ActionIcon>
      <div className={classes.headWords}>
        <Text component="h2" fw={600} size="sm" truncate>
          {chat.name}
        </Text>
        <Text size="xs" truncate className={classes.aside}>
          {[platformName(chat.platform), ...mailAddressOf(chat), holder].join(' · ')}
        </Text>
      </div>
      <div className={classes.headActions}>
        <ChatActions key={chat.uuid} chat={chat} />
      </div>
      <ActionIcon
        className={shell.toClient}
        variant="subtle"
        aria-label={t.client}
        onClick={() => go({ client: true })}
      >
        <IconUser size={18} aria-hidden />
      </ActionIcon>
    </div>
  );
}

/** Only of a mail: a client's mail names its sender as the client likes. Other addresses say nothing to people. */
const mailAddressOf = ({ address, name }: ChatEntry): string[] =>
  address.includes('@') && address !== name ? [address] : [];

function useHolder({ session }: ChatEntry): string {
  const t = useTexts(actionTexts);
  const { account } = useDesk();
  if (!session) return t.noSession;
  if (!session.operator) return t.nobodys;
  return session.operator.uuid === account.operator.uuid ? t.mine : t.theirs(session.operator.name);
}
