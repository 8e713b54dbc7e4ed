import type { ServerResponse } from 'node:http';
import { presentBubble, presentPhone, presentProvider } from './present.ts';
import type { News, Provider } from './provider.ts';

/** The live connections of pages. */
export type Feed = {
  /** Sends everything, and then what changes. */
  open(response: ServerResponse, providers: ReadonlyMap<string, Provider>): void;
  tell(news: News): void;
  /** Sends providers that have changed. */
  tick(providers: ReadonlyMap<string, Provider>): void;
  close(): void;
};

export function createFeed(): Feed {
  const pages = new Set<ServerResponse>();
  const shown = new Map<string, string>();

  const send = (to: Iterable<ServerResponse>, event: string, data: object): void => {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const page of to) page.write(text);
  };

  return {
    open(response, providers) {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      pages.add(response);
      response.on('close', () => pages.delete(response));
      const all = [...providers.values()];
      const phones = all.flatMap((provider) => [...provider.phones.values()].map(presentPhone));
      send([response], 'all', { providers: all.map(presentProvider), phones });
    },
    tell(news) {
      if (news.kind === 'phone') send(pages, 'phone', presentPhone(news.phone));
      else send(pages, 'bubble', { phone: news.phone, bubble: presentBubble(news.bubble) });
    },
    tick(providers) {
      for (const provider of providers.values()) {
        const now = presentProvider(provider);
        const text = JSON.stringify(now);
        if (shown.get(provider.part) === text) continue;
        shown.set(provider.part, text);
        send(pages, 'provider', now);
      }
    },
    close() {
      for (const page of pages) page.end();
    },
  };
}
