import { Badge, Group, Table, Text } from '@mantine/core';
import type { Recipient, RecipientState } from '../../../../../src/people/console/mailings/schema.ts';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import { useProjectId } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { letterOf } from '../letter.ts';
import { mailingTexts } from '../texts.ts';
import { recipientTexts } from './recipient-texts.ts';
import { oneTexts } from './texts.ts';

const colors: Record<RecipientState, string> = {
  pending: 'gray',
  sent: 'teal',
  delivered: 'blue',
  read: 'grape',
  undelivered: 'red',
  stopped: 'orange',
};

export function RecipientRow({ recipient }: { recipient: Recipient }) {
  const t = useTexts(recipientTexts);
  const all = useTexts(mailingTexts);
  const one = useTexts(oneTexts);
  const { ago, moment } = useFormat();
  const project = useProjectId();
  const { profile, platform, variant, state, reason, read_at, delivered_at, sent_at } = recipient;
  const at = read_at ?? delivered_at ?? sent_at;
  const reactions = [
    ...(recipient.jumped_at ? [one.jumped] : []),
    ...(recipient.clicked_at ? [one.clicked] : []),
    ...(recipient.replied_at ? [one.replied] : []),
  ];
  return (
    <Table.Tr>
      <Table.Td>
        <TextLink to="/$project/profiles/$profile/" params={{ project, profile: profile.uuid }}>
          {profile.name ?? t.unnamed}
        </TextLink>
      </Table.Td>
      <Table.Td>
        {platform.replaceAll('_', ' ')}
        {variant !== null && ` · ${t.variant(letterOf(variant))}`}
      </Table.Td>
      <Table.Td maw={320}>
        <Badge color={colors[state]} variant="outline" c="var(--mantine-color-text)" tt="none">
          {all.recipientStates[state]}
        </Badge>
        {reason && <Text size="sm">{reason}</Text>}
      </Table.Td>
      <Table.Td title={moment(at)}>{ago(at)}</Table.Td>
      <Table.Td>
        <Group gap={4}>{reactions.length > 0 ? reactions.join(', ') : '–'}</Group>
      </Table.Td>
    </Table.Tr>
  );
}
