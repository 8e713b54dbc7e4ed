import { Badge, Table } from '@mantine/core';
import type { LoggedEvent, Webhook } from '../../../../src/people/console/webhooks/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { common } from '../../shared/texts.ts';
import { useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { webhooks } from './texts.ts';

const colors = { PENDING: 'blue', DELIVERED: 'teal', FAILED: 'red', KEPT: 'orange' } as const;

export function EventState({ state }: { state: LoggedEvent['state'] }) {
  const t = useTexts(webhooks);
  return (
    <Badge color={colors[state]} variant="dot" tt="none" miw="max-content">
      {t[state]}
    </Badge>
  );
}

export function EventTable({ webhook, events }: { webhook: Webhook; events: LoggedEvent[] }) {
  const project = useProjectId();
  const t = useTexts(webhooks);
  const words = useTexts(common);
  const { moment, ago, number } = useFormat();
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.when}</Table.Th>
            <Table.Th>{t.type}</Table.Th>
            <Table.Th>{t.client}</Table.Th>
            <Table.Th>{words.state}</Table.Th>
            <Table.Th>{t.attempts}</Table.Th>
            <Table.Th>{t.lastStatus}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {events.map((event) => (
            <Table.Tr key={event.uuid}>
              <Table.Td title={ago(event.created_at)}>{moment(event.created_at)}</Table.Td>
              <Table.Td>
                <TextLink
                  to="/$project/webhooks/$webhook/events/$event/"
                  params={{ project, webhook: webhook.uuid, event: event.uuid }}
                >
                  {event.event_type}
                </TextLink>
              </Table.Td>
              <Table.Td>{event.chat.name ?? t.nobody}</Table.Td>
              <Table.Td>
                <EventState state={event.state} />
              </Table.Td>
              <Table.Td>{number(event.attempts)}</Table.Td>
              <Table.Td>{event.last_status ?? (event.attempts > 0 ? t.noAnswer : '–')}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
