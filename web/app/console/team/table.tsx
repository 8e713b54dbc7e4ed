import { Badge, Group, Table, Text } from '@mantine/core';
import type { TeamMember } from '../../../../src/people/console/team/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import { ChangeButton } from './change.tsx';
import { LinkButton } from './link.tsx';
import { RemoveButton } from './remove.tsx';
import { teamTexts } from './texts.ts';

export function TeamTable({ members }: { members: readonly TeamMember[] }) {
  const t = useTexts(teamTexts);
  const words = useTexts(common);
  return (
    <Table.ScrollContainer minWidth={940}>
      <Table verticalSpacing="sm" aria-label={t.list}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.shownName}</Table.Th>
            <Table.Th>{t.role}</Table.Th>
            <Table.Th>{words.state}</Table.Th>
            <Table.Th>{t.lastSeen}</Table.Th>
            <Table.Th ta="right">{t.chats}</Table.Th>
            <Table.Th ta="right">{words.actions}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {members.map((member) => (
            <Row key={member.uuid} member={member} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const stateColors = { active: 'teal', invited: 'yellow', links_only: 'gray' } as const;

function Row({ member }: { member: TeamMember }) {
  const t = useTexts(teamTexts);
  const { ago, moment, number } = useFormat();
  const { name, email, role, state, last_seen_at, open_chats, is_you } = member;
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        <Text fw={600}>
          {name}
          {is_you && ` (${t.you})`}
        </Text>
        <Text size="sm">{email}</Text>
      </Table.Th>
      <Table.Td>{t[role]}</Table.Td>
      <Table.Td>
        <Badge variant="outline" color={stateColors[state]} c="inherit" tt="none" miw="max-content">
          {t[state]}
        </Badge>
      </Table.Td>
      <Table.Td>
        {last_seen_at === null ? t.never : <span title={moment(last_seen_at)}>{ago(last_seen_at)}</span>}
      </Table.Td>
      <Table.Td ta="right">{number(open_chats)}</Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {state !== 'links_only' && !is_you && <LinkButton member={member} />}
          <ChangeButton member={member} />
          <RemoveButton member={member} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
