import { Alert, List, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { DryRun, Finish } from '../../../../../src/people/console/mailings/draft-schema.ts';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import { Size } from './count.tsx';
import { reviewTexts } from './review-texts.ts';

/** The result of a dry run. `until` is the moment to finish by. */
export function Forecast({ dryRun, until }: { dryRun: DryRun; until: string | null }) {
  const t = useTexts(reviewTexts);
  const { duration, moment, number } = useFormat();
  const { audience, quiet, capped, finish, seconds, channels, warnings } = dryRun;
  return (
    <>
      <div>
        <Size size={audience} />
      </div>
      <Text>{seconds === null ? t.unknown : t.takes(duration(seconds))}</Text>
      {quiet && <Text>{t.quiet(number(quiet.count), moment(quiet.first_at), moment(quiet.last_at))}</Text>}
      {capped !== null && capped > 0 && <Text>{t.capped(capped)}</Text>}
      {finish && until && <Spread finish={finish} until={until} />}
      {channels.length > 0 && <Channels channels={channels} />}
      {warnings.length === 0 && audience.count !== null && <Text>{t.fine}</Text>}
      {warnings.length > 0 && (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          <Text fw={600} size="sm">
            {t.warnings}
          </Text>
          <List size="sm">
            {warnings.map(({ code, names, count }) => (
              <List.Item key={code + names.join()}>{t.warning[code](names.join(', '), count ?? 0)}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </>
  );
}

function Spread({ finish: { per_second, hindrances }, until }: { finish: Finish; until: string }) {
  const t = useTexts(reviewTexts);
  const { duration, moment, number } = useFormat();
  const minute = per_second === null ? null : number(Math.max(1, Math.round(per_second * 60)));
  return (
    <>
      <Text>{minute === null ? t.spreadOnly(moment(until)) : t.spread(moment(until), minute)}</Text>
      {hindrances.length > 0 && (
        <Alert color="red" role="alert" title={t.late}>
          {hindrances.map(({ code, channel, messages, needed, had }) => (
            <Text key={channel} size="sm">
              {t.hindrance[code](channel, number(messages), duration(needed ?? 0), duration(had))}
            </Text>
          ))}
        </Alert>
      )}
    </>
  );
}

function Channels({ channels }: { channels: DryRun['channels'] }) {
  const t = useTexts(reviewTexts);
  const { number, duration } = useFormat();
  return (
    <Table.ScrollContainer
      minWidth={480}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': t.channel } }}
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.channel}</Table.Th>
            <Table.Th ta="right">{t.messages}</Table.Th>
            <Table.Th ta="right">{t.waiting}</Table.Th>
            <Table.Th ta="right">{t.rate}</Table.Th>
            <Table.Th ta="right">{t.time}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {channels.map(({ name, platform, messages, waiting, per_second, seconds }) => (
            <Table.Tr key={`${name} ${platform}`}>
              <Table.Td>{`${name} (${platform.replaceAll('_', ' ')})`}</Table.Td>
              <Table.Td ta="right">{number(messages)}</Table.Td>
              <Table.Td ta="right">{number(waiting)}</Table.Td>
              <Table.Td ta="right">
                {per_second === null ? t.noLimit : number(Math.round(per_second))}
              </Table.Td>
              <Table.Td ta="right">{seconds === null ? t.paused : duration(seconds)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
