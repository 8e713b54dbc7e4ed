import { Checkbox, Stack, Table, Text } from '@mantine/core';
import type { MailingSummary } from '../../../../src/people/console/mailings/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { useProjectId } from '../api.ts';
import { TextLink } from '../links.tsx';
import { CountsBar } from './bar.tsx';
import { compareTexts } from './compare/texts.ts';
import { MailingState } from './state.tsx';
import { mailingTexts } from './texts.ts';

export function MailingRow({
  mailing,
  isChosen,
  onChoose,
}: {
  mailing: MailingSummary;
  /** Whether it is chosen for a comparison. */
  isChosen: boolean;
  onChoose(isChosen: boolean): void;
}) {
  const t = useTexts(mailingTexts);
  const compared = useTexts(compareTexts);
  const { number } = useFormat();
  const project = useProjectId();
  const { counts } = mailing;
  return (
    <Table.Tr>
      <Table.Td>
        <Checkbox
          aria-label={compared.choose(mailing.name)}
          checked={isChosen}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td miw={180} maw={320}>
        <TextLink
          to="/$project/mailings/$mailing/"
          params={{ project, mailing: mailing.uuid }}
          fw={600}
          style={{ overflowWrap: 'anywhere' }}
        >
          {mailing.name}
        </TextLink>
        <Text size="sm" c="dimmed">
          {t.kinds[mailing.content_type]}
        </Text>
      </Table.Td>
      <Table.Td maw={240}>
        <MailingState mailing={mailing} />
        {mailing.state === 'error' && (
          <Text size="sm" lineClamp={2} mt={4}>
            {mailing.state_detail}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <When mailing={mailing} />
      </Table.Td>
      <Table.Td>
        {counts.planned > 0 && (
          <Stack gap={4}>
            <CountsBar counts={counts} />
            <Text size="sm">{t.sentOf(number(counts.sent), number(counts.planned))}</Text>
          </Stack>
        )}
      </Table.Td>
      <Table.Td>
        <Pace mailing={mailing} />
      </Table.Td>
    </Table.Tr>
  );
}

/** What a mailing that moves sends a second, and how long it still takes. */
function Pace({ mailing: { rate, seconds_left } }: { mailing: MailingSummary }) {
  const t = useTexts(mailingTexts);
  const { number, duration } = useFormat();
  if (rate === null || Math.round(rate) <= 0) return null;
  return (
    <>
      <Text size="sm">{t.rate(number(Math.round(rate)))}</Text>
      {seconds_left !== null && seconds_left > 0 && <Text size="sm">{t.left(duration(seconds_left))}</Text>}
    </>
  );
}

/** The relevant time for the mailing’s state; the title shows it exactly. */
export function When({ mailing }: { mailing: MailingSummary }) {
  const t = useTexts(mailingTexts);
  const { ago, moment } = useFormat();
  const { next_at, started_at, completed_at, created_at, rests } = mailing;
  if (rests)
    return (
      <Text size="sm" component="span">
        {rests.until === null ? t.restAsks : t.restUntil(moment(rests.until))}
      </Text>
    );
  if (next_at)
    return (
      <Text size="sm" component="span">
        {t.next(moment(next_at))}
      </Text>
    );
  const [at, say] = completed_at
    ? [completed_at, t.completed]
    : started_at
      ? [started_at, t.started]
      : [created_at, t.created];
  return (
    <Text size="sm" component="span" title={moment(at)}>
      {say(ago(at))}
    </Text>
  );
}
