import { Badge, Group, Table, Text } from '@mantine/core';
import type { Client } from '../../../../src/people/console/profiles/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { platformName } from '../../shared/platforms.ts';
import { useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { profileTexts } from './texts.ts';

const mostTags = 4;

export function ProfileTable({ clients }: { clients: Client[] }) {
  const t = useTexts(profileTexts);
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.name}</Table.Th>
            <Table.Th>{t.phone}</Table.Th>
            <Table.Th>{t.tags}</Table.Th>
            <Table.Th>{t.platforms}</Table.Th>
            <Table.Th>{t.lastActive}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {clients.map((client) => (
            <Row key={client.uuid} client={client} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Row({ client }: { client: Client }) {
  const t = useTexts(profileTexts);
  const format = useFormat();
  const project = useProjectId();
  const platforms = [...new Set(client.chats.map(({ platform }) => platformName(platform)))];
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <TextLink size="sm" to="/$project/profiles/$profile/" params={{ project, profile: client.uuid }}>
          {client.title ?? t.noName}
        </TextLink>
      </Table.Th>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{client.phone_number ?? '–'}</Table.Td>
      <Table.Td>
        <Tags names={client.tags} />
      </Table.Td>
      <Table.Td>{platforms.join(', ') || '–'}</Table.Td>
      <Table.Td>
        <span title={format.moment(client.last_active_at)}>{format.ago(client.last_active_at)}</span>
      </Table.Td>
    </Table.Tr>
  );
}

function Tags({ names }: { names: string[] }) {
  const more = names.length - mostTags;
  return (
    <Group gap={4}>
      {names.slice(0, mostTags).map((name) => (
        <Badge key={name} variant="default" tt="none" maw={160}>
          {name}
        </Badge>
      ))}
      {more > 0 && (
        <Text size="sm" title={names.slice(mostTags).join(', ')}>
          +{more}
        </Text>
      )}
    </Group>
  );
}
