import type { EventSourceMessage } from 'eventsource-parser';
import type { LiveEvents } from '../../../../src/people/chat-center/schema.ts';

/** A server event with its name and the matching data. */
export type LiveEvent = {
  [Name in keyof LiveEvents]: { name: Name; data: LiveEvents[Name] };
}[keyof LiveEvents];

const names: Record<keyof LiveEvents, true> = {
  ready: true,
  chat: true,
  entry: true,
  typing: true,
  counts: true,
};

const isLiveEvent = (event: { name: string; data: unknown }): event is LiveEvent =>
  Object.hasOwn(names, event.name);

/** Undefined for events of a newer server that this page does not know. */
export function readEvent({ event: name = '', data }: EventSourceMessage): LiveEvent | undefined {
  const event = { name, data: JSON.parse(data) };
  return isLiveEvent(event) ? event : undefined;
}
