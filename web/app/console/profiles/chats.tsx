import { Anchor, Table, Text } from '@mantine/core';
import { IconMessageOff } from '@tabler/icons-react';
import type { Profile } from '../../../../src/clients/profiles/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { basePath } from '../../shared/page.ts';
import { Empty } from '../../shared/page-parts.tsx';
import { platformName } from '../../shared/platforms.ts';
import { useProjectId } from '../api.ts';
import { profileTexts } from './texts.ts';

/** Chats, most recently active first. */
export function Chats({ chats }: { chats: Profile['chats'] }) {
  const t = useTexts(profileTexts);
  const project = useProjectId();
  if (chats.length === 0) {
    return (
      <Empty icon={<IconMessageOff />} title={t.noChats}>
        <Text>{t.noChatsHint}</Text>
      </Empty>
    );
  }
  return (
    <Table verticalSpacing="sm">
      <Table.Tbody>
        {chats.map(({ uuid, platform }) => (
          <Table.Tr key={uuid}>
            <Table.Th scope="row">{platformName(platform)}</Table.Th>
            <Table.Td ta="right">
              <Anchor href={`${basePath}/chat-center/?project=${project}#list=all&chat=${uuid}`}>
                {t.openChat}
              </Anchor>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
