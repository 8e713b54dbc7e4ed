import type { Channel } from '../../channels/connected/channels.ts';
import type { Answered } from '../../channels/contract/adapter.ts';
import type { Rendered } from '../../mailings/render.ts';
import type { ClaimedMessage } from './claim.ts';
import type { Refusal } from './learn.ts';
import type { Rendering } from './mailing-messages.ts';
import type { Outcome } from './rules.ts';
import type { CallSpan } from './spans.ts';

/** A claimed message with everything that its call needs. */
export type Task = {
  message: ClaimedMessage;
  channel: Channel;
  rendering: Rendering | undefined;
  answers: Answered | undefined;
  lastingIds: readonly string[] | undefined;
  /** For a mailing's message. */
  unsubscribeUrl?(): string;
  /** The remaining pause of its chat. */
  pauseMs: number;
};

/** What the call brought, and when. */
export type Done = Task & {
  outcome: Outcome;
  /** Whether the provider was called. */
  isCalled: boolean;
  unheard: boolean;
  calledAt: Date;
  /** The call reported that the client has blocked us. */
  isBlocked: boolean;
  /** What a rate limit applies to. */
  slows: Refusal['scope'];
  /** The end of the client's quiet hours, if the message waits for it. */
  quietUntil: Date | null;
  at: Date;
  span: CallSpan;
};

export const isRendered = (rendering: Rendering | undefined): rendering is { rendered: Rendered } =>
  typeof rendering === 'object' && 'rendered' in rendering;
