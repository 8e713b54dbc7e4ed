import { Badge } from '@mantine/core';
import type { MailingSummary } from '../../../../src/people/console/mailings/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { mailingTexts } from './texts.ts';

const colors = {
  draft: 'gray',
  planned: 'blue',
  in_process: 'teal',
  completed: 'gray',
  stopped: 'orange',
  error: 'red',
} as const;

/** A mailing without an audience is a draft. */
const stateOf = ({ state, next_at }: MailingSummary): keyof typeof colors =>
  state === 'planned' && next_at === null ? 'draft' : state;

export function MailingState({ mailing }: { mailing: MailingSummary }) {
  const t = useTexts(mailingTexts);
  const state = stateOf(mailing);
  return (
    <Badge color={colors[state]} variant="outline" c="var(--mantine-color-text)" tt="none" miw="max-content">
      {t.states[state]}
    </Badge>
  );
}
