import { Progress } from '@mantine/core';
import type { MailingCounts } from '../../../../src/people/console/mailings/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { mailingTexts } from './texts.ts';

/** The parts of the planned messages. Their sum is the total. */
export const parts = [
  { key: 'sent', color: 'teal.7' },
  { key: 'undelivered', color: 'red.7' },
  { key: 'stopped', color: 'orange.6' },
  { key: 'pending', color: 'gray.5' },
] as const;

/** The results of a mailing’s messages, as a bar and as text for screen readers. */
export function CountsBar({ counts, size = 'md' }: { counts: MailingCounts; size?: string }) {
  const t = useTexts(mailingTexts);
  const { number } = useFormat();
  const label = parts
    .filter(({ key }) => counts[key] > 0)
    .map(({ key }) => `${t[key]}: ${number(counts[key])}`)
    .join(', ');
  return (
    <Progress.Root size={size} role="img" aria-label={label || `${t.planned}: 0`} title={label}>
      {parts.map(({ key, color }) => (
        <Progress.Section
          key={key}
          value={counts.planned > 0 ? (counts[key] / counts.planned) * 100 : 0}
          color={color}
          withAria={false}
        />
      ))}
    </Progress.Root>
  );
}
