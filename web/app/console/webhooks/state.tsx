import { Badge } from '@mantine/core';
import type { Webhook } from '../../../../src/people/console/webhooks/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { disabledReasons } from './reasons.ts';
import { webhooks } from './texts.ts';

type State = 'active' | 'failing' | 'disabled';

export function stateOf({ disabled_at, failing_since }: Webhook): State {
  if (disabled_at !== null) return 'disabled';
  return failing_since === null ? 'active' : 'failing';
}

export const stateColors = { active: 'teal', failing: 'orange', disabled: 'red' } as const;

export function StateBadge({ webhook }: { webhook: Webhook }) {
  const t = useTexts(webhooks);
  const state = stateOf(webhook);
  return (
    <Badge color={stateColors[state]} variant="dot" tt="none" miw="max-content">
      {t[state]}
    </Badge>
  );
}

/** The state, as sentences. */
export function useStateText(webhook: Webhook): string {
  const t = useTexts(webhooks);
  const reasons = useTexts(disabledReasons);
  const { moment } = useFormat();
  switch (stateOf(webhook)) {
    case 'active':
      return t.activeText;
    case 'failing':
      return t.failingText(moment(webhook.failing_since));
    case 'disabled': {
      const reason = webhook.disabled_reason ?? '';
      return `${reasons[reason] ?? reason} ${t.disabledText(moment(webhook.disabled_at))}`;
    }
  }
}

export function Waiting({ webhook: { waiting, waiting_more } }: { webhook: Webhook }) {
  const t = useTexts(webhooks);
  const { number } = useFormat();
  return waiting_more ? t.waitingMore(number(waiting)) : number(waiting);
}

export function useWebhookName(): (webhook: Webhook) => string {
  const t = useTexts(webhooks);
  return ({ application }) => application?.name ?? t.ownName;
}
