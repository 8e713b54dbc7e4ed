import { Badge } from '@mantine/core';
import type { Channel } from '../../../../src/people/console/channels/schema.ts';
import { useFormat, useTexts } from '../../shared/language.tsx';
import { channels } from './texts.ts';

type State = 'active' | 'paused' | 'refused' | 'slowed';

/** A manual pause and a pause after rejected credentials are shown as different states. */
export function stateOf({ state, paused_by, resume_at }: Channel): State {
  if (state === 'active') return resume_at ? 'slowed' : 'active';
  return paused_by === null ? 'refused' : 'paused';
}

export const stateColors = { active: 'teal', paused: 'gray', refused: 'red', slowed: 'orange' } as const;

export function StateBadge({ channel }: { channel: Channel }) {
  const t = useTexts(channels);
  const state = stateOf(channel);
  return (
    <Badge color={stateColors[state]} variant="dot" tt="none" miw="max-content">
      {t[state]}
    </Badge>
  );
}

/** The state as a sentence. */
export function useStateText(channel: Channel): string {
  const t = useTexts(channels);
  const { moment } = useFormat();
  switch (stateOf(channel)) {
    case 'active':
      return t.activeText;
    case 'paused':
      return t.pausedText(channel.paused_by ?? '');
    case 'refused':
      return t.refusedText;
    case 'slowed':
      return t.slowedText(moment(channel.resume_at));
  }
}

export function Pace({ channel: { rate, rate_ceiling } }: { channel: Channel }) {
  const t = useTexts(channels);
  const { number } = useFormat();
  const written = (value: number) => number(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
  if (rate === null) return t.unlimited;
  return rate_ceiling === null
    ? t.perSecond(written(rate))
    : t.ofCeiling(written(rate), written(rate_ceiling));
}

export function Waiting({ channel: { waiting, waiting_more } }: { channel: Channel }) {
  const t = useTexts(channels);
  const { number } = useFormat();
  return waiting_more ? t.waitingMore(number(waiting)) : number(waiting);
}
