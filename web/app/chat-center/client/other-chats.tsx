import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { Profile } from '../../../../src/clients/profiles/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { platformName } from '../../shared/platforms.ts';
import { linkTo, usePlace } from '../address.ts';
import { PlatformIcon } from '../platform-icon.tsx';
import { clientTexts } from './texts.ts';

/** The client’s chats on other platforms or other channels. */
export function OtherChats({ chat, chats }: { chat: string; chats: Profile['chats'] }) {
  const t = useTexts(clientTexts);
  const { list } = usePlace();
  const others = chats.filter(({ uuid }) => uuid !== chat);
  if (others.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text component="h3" size="sm" fw={600}>
        {t.otherChats}
      </Text>
      {others.map(({ uuid, platform }) => (
        <Anchor
          key={uuid}
          href={linkTo({ list, chat: uuid, client: false })}
          size="sm"
          c="inherit"
          underline="always"
        >
          <Group gap={6} component="span">
            <PlatformIcon platform={platform} />
            {platformName(platform)}
          </Group>
        </Anchor>
      ))}
    </Stack>
  );
}
