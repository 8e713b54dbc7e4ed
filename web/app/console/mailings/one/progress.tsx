import { ColorSwatch, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { MailingDetail } from '../../../../../src/people/console/mailings/schema.ts';
import { useFormat, useTexts } from '../../../shared/language.tsx';
import { CountsBar, parts } from '../bar.tsx';
import { mailingTexts } from '../texts.ts';
import { oneTexts } from './texts.ts';

/** The invariant: planned = sent + not delivered + stopped + waiting. */
export function MailingProgress({ detail: { summary, quiet, finish } }: { detail: MailingDetail }) {
  const t = useTexts(mailingTexts);
  const own = useTexts(oneTexts);
  const { number } = useFormat();
  const { counts } = summary;
  if (counts.planned === 0 && summary.stage === null) return null;
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4">
            {own.progressTitle}
          </Title>
          <Pace summary={summary} />
        </Group>
        <CountsBar counts={counts} size="xl" />
        <Group gap="lg" role="list">
          <Figure name={own.sum} value={number(counts.planned)} sign="=" />
          {parts
            .filter(({ key }) => counts[key] > 0 || key === 'sent')
            .map(({ key, color }, index) => (
              <Figure
                key={key}
                name={t[key]}
                value={number(counts[key])}
                color={`var(--mantine-color-${color.replace('.', '-')})`}
                sign={index === 0 ? '' : '+'}
              />
            ))}
        </Group>
        {quiet && <Quiet {...quiet} />}
        {finish && <Finish {...finish} />}
      </Stack>
    </Paper>
  );
}

function Quiet({ count, first_at, last_at }: NonNullable<MailingDetail['quiet']>) {
  const t = useTexts(oneTexts);
  const { number, moment } = useFormat();
  const waiting = number(count);
  return (
    <Text size="sm">
      {first_at === last_at
        ? t.quiet(waiting, moment(first_at))
        : t.quietUntil(waiting, moment(first_at), moment(last_at))}
    </Text>
  );
}

function Finish({ by, per_second, is_kept }: NonNullable<MailingDetail['finish']>) {
  const t = useTexts(oneTexts);
  const { number, moment } = useFormat();
  const minute = per_second === null ? null : number(Math.max(1, Math.round(per_second * 60)));
  return (
    <Text size="sm" c={is_kept ? undefined : 'red'} role={is_kept ? undefined : 'alert'}>
      {[t.finishBy(moment(by)), ...(minute ? [t.spread(minute)] : []), ...(is_kept ? [] : [t.late])].join(
        ' ',
      )}
    </Text>
  );
}

function Figure({ name, value, color, sign }: { name: string; value: string; color?: string; sign: string }) {
  const isSum = sign === '=';
  return (
    <Group gap="lg" wrap="nowrap" role="listitem">
      {sign === '+' && <span aria-hidden>+</span>}
      <div>
        <Group gap={6} wrap="nowrap">
          {color && <ColorSwatch color={color} size={12} withShadow={false} aria-hidden />}
          <Text size="sm" component="span">
            {name}
          </Text>
        </Group>
        <Text fw={600} size="lg">
          {value}
        </Text>
      </div>
      {isSum && <span aria-hidden>=</span>}
    </Group>
  );
}

function Pace({ summary: { stage, rate, seconds_left, rests } }: { summary: MailingDetail['summary'] }) {
  const t = useTexts(mailingTexts);
  const { number, duration, moment } = useFormat();
  if (stage === null) return null;
  const restUntil = rests && (rests.until === null ? t.restAsks : t.restUntil(moment(rests.until)));
  // A paused channel has no estimated end.
  const isMoving = rate !== null && Math.round(rate) > 0;
  return (
    <Text role="status" size="sm">
      {[
        restUntil ?? t.stages[stage],
        ...(isMoving ? [t.rate(number(Math.round(rate)))] : []),
        ...(isMoving && seconds_left ? [t.left(duration(seconds_left))] : []),
      ].join(' · ')}
    </Text>
  );
}
