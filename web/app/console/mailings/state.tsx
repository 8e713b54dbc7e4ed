import { Badge } from '@mantine/core';
import type { MailingSummary } from '../../../../src/people/console/mailings/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { mailingTexts } from './texts.ts';

const colors = {
  draft: 'gray',
  awaits: 'yellow',
  rests: 'yellow',
  asks: 'yellow',
  planned: 'blue',
  in_process: 'teal',
  completed: 'gray',
  stopped: 'orange',
  error: 'red',
} as const;

/** A mailing without an audience is a draft. */
function stateOf({ state, next_at, awaits_approval, rests }: MailingSummary): keyof typeof colors {
  if (rests) return rests.until === null ? 'asks' : 'rests';
  if (awaits_approval) return 'awaits';
  return state === 'planned' && next_at === null ? 'draft' : state;
}

export function MailingState({ mailing }: { mailing: MailingSummary }) {
  const t = useTexts(mailingTexts);
  const state = stateOf(mailing);
  return (
    <Badge color={colors[state]} variant="outline" c="var(--mantine-color-text)" tt="none" miw="max-content">
      {t.states[state]}
    </Badge>
  );
}
