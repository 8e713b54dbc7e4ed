import { createParser } from 'eventsource-parser';
import type { LiveEvents } from '../src/people/chat-center/schema.ts';

export type LiveEvent = {
  [Name in keyof LiveEvents]: { event: Name; id: string | undefined; data: LiveEvents[Name] };
}[keyof LiveEvents];

export type LiveChats = {
  /** Skips events until one fits. Fails when the connection ends before it. */
  until<Name extends keyof LiveEvents>(
    event: Name,
    fits?: (data: LiveEvents[Name]) => boolean,
  ): Promise<LiveEvents[Name]>;
  /** The id of the last event. */
  lastId(): string;
  /** Every event so far. */
  heard: LiveEvent[];
  cut(): void;
};

/** An operator's live connection to the chat center, after its `ready`. */
export async function connectLive(
  lifetime: { after(cleanUp: () => Promise<void>): void },
  address: string,
  headers: Record<string, string>,
  since?: string,
): Promise<LiveChats> {
  const ending = new AbortController();
  lifetime.after(async () => ending.abort());
  const query = since === undefined ? '' : `?since=${since}`;
  const response = await fetch(`${address}/chat-center/api/live/${query}`, {
    headers,
    signal: ending.signal,
  });
  if (!response.ok || !response.body) throw new Error(`no live connection: ${response.status}`);
  const heard: LiveEvent[] = [];
  let lastId = '';
  let read = 0;
  const parser = createParser({
    onEvent: ({ event, id, data }) => {
      if (id) lastId = id;
      heard.push({ event, id, data: JSON.parse(data) } as LiveEvent);
    },
  });
  const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();

  async function until<Name extends keyof LiveEvents>(
    event: Name,
    fits: (data: LiveEvents[Name]) => boolean = () => true,
  ): Promise<LiveEvents[Name]> {
    for (;;) {
      while (read < heard.length) {
        const one = heard[read];
        read += 1;
        if (one?.event === event && fits(one.data as LiveEvents[Name])) return one.data as LiveEvents[Name];
      }
      const { done, value } = await pieces.read();
      if (done) throw new Error(`the live connection ended before ${event}`);
      parser.feed(value);
    }
  }

  await until('ready');
  return { until, lastId: () => lastId, heard, cut: () => ending.abort() };
}
