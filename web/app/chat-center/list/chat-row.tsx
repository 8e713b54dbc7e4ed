import { Avatar, Group, Text } from '@mantine/core';
import { memo } from 'react';
import type { ChatEntry, ChatList } from '../../../../src/people/chat-center/schema.ts';
import { Count } from '../../shared/count.tsx';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { platformName } from '../../shared/platforms.ts';
import { linkTo } from '../address.ts';
import { usePictureSource } from '../picture-source.ts';
import { PlatformIcon } from '../platform-icon.tsx';
import classes from './list.module.css';
import { useShortMoment } from './short-moment.ts';
import { Snippet } from './snippet.tsx';
import { listTexts } from './texts.ts';

/** The colour of the initials alone has too little contrast with the background. */
const readable = { placeholder: { color: 'var(--mantine-color-text)' } };

/** A chat in a list: client, time, last message, platform and operator. */
export const ChatRow = memo(function ChatRow({
  chat,
  list,
  isOpen,
  me,
}: {
  chat: ChatEntry;
  list: ChatList;
  isOpen: boolean;
  me: string;
}) {
  const t = useTexts(listTexts);
  const { number, moment } = useFormat();
  const shortMoment = useShortMoment();
  const { src: avatar } = usePictureSource(chat.avatar);
  const { operator } = chat.session ?? {};
  const saidAt = chat.last_message?.at ?? chat.last_active_at;
  return (
    <li>
      <a
        href={linkTo({ list, chat: chat.uuid, client: false })}
        className={classes.row}
        aria-current={isOpen ? 'true' : undefined}
        data-chat={chat.uuid}
      >
        <Avatar
          src={avatar}
          name={chat.name}
          color="initials"
          radius="xl"
          styles={readable}
          alt=""
          aria-hidden
        />
        <div className={classes.words}>
          <Group justify="space-between" wrap="nowrap" gap={6}>
            <Text fw={chat.unread > 0 ? 700 : 600} size="sm" truncate>
              {chat.name}
            </Text>
            <Text component="time" size="xs" className={classes.aside} title={moment(saidAt)}>
              {shortMoment(saidAt)}
            </Text>
          </Group>
          <Group justify="space-between" wrap="nowrap" gap={6}>
            <Snippet message={chat.last_message} />
            {chat.unread > 0 && <Count of={chat.unread} label={t.unread(number(chat.unread))} />}
          </Group>
          <Group wrap="nowrap" gap={4} className={classes.aside}>
            <PlatformIcon platform={chat.platform} />
            <Text size="xs" truncate>
              {platformName(chat.platform)}
              {operator && ` · ${operator.uuid === me ? t.you : operator.name}`}
            </Text>
          </Group>
        </div>
      </a>
    </li>
  );
});
