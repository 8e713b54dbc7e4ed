import type { tl } from '@mtcute/node';
import { seconds } from '../clock.ts';
import { pushLatest } from '../outbox.ts';

/** What happened in the account: a message, or a client's reading. Each thing is counted once, in `pts`. */
export type Event = { pts: number; update: tl.TypeUpdate; user: tl.RawUser };

export type Box = {
  /** Ids of messages come from the same counter. */
  add(updateAt: (pts: number) => tl.TypeUpdate, user: tl.RawUser): tl.RawUpdates;
  state(): tl.updates.RawState;
  /** The remembered messages, newest first. */
  messages(): tl.RawMessage[];
  /** What a client missed that has heard everything up to `pts`. */
  since(pts: number): tl.updates.TypeDifference;
  /** The counter goes on from here, if it is lower. */
  skipTo(pts: number): void;
};

/** Older events are forgotten. */
const mostEvents = 5_000;
const mostAtOnce = 100;

export function createBox(first: number): Box {
  const events: Event[] = [];
  let last = first;

  const stateAt = (pts: number): tl.updates.RawState => ({
    _: 'updates.state',
    pts,
    qts: 0,
    date: seconds(),
    seq: 0,
    unreadCount: 0,
  });

  return {
    add(updateAt, user) {
      last += 1;
      const update = updateAt(last);
      pushLatest(events, { pts: last, update, user }, mostEvents);
      return { _: 'updates', updates: [update], users: [user], chats: [], date: seconds(), seq: 0 };
    },
    state: () => stateAt(last),
    messages: () =>
      events
        .flatMap(({ update }) =>
          update._ === 'updateNewMessage' && update.message._ === 'message' ? [update.message] : [],
        )
        .reverse(),
    since(pts) {
      if (pts === last) return { _: 'updates.differenceEmpty', date: seconds(), seq: 0 };
      const missed = events.filter((event) => event.pts > pts);
      const now = missed.slice(0, mostAtOnce);
      const news = {
        newMessages: now.flatMap(({ update }) => (update._ === 'updateNewMessage' ? [update.message] : [])),
        newEncryptedMessages: [],
        otherUpdates: now.flatMap(({ update }) => (update._ === 'updateNewMessage' ? [] : [update])),
        chats: [],
        users: now.map(({ user }) => user),
      };
      const until = now.at(-1)?.pts ?? last;
      return missed.length > now.length
        ? { _: 'updates.differenceSlice', ...news, intermediateState: stateAt(until) }
        : { _: 'updates.difference', ...news, state: stateAt(last) };
    },
    skipTo(pts) {
      last = Math.max(last, pts);
    },
  };
}
