import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { problemOfWebhook } from '../openapi/check-webhook.ts';

export type Delivery = {
  headers: IncomingHttpHeaders;
  /** The body as received: signatures cover it. */
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely.
  body: any;
};

export type Behaviour = (delivery: Delivery, response: ServerResponse) => void;

export type Messenger = {
  url: string;
  deliveries: Delivery[];
  /** The answer to the next deliveries. Default: 200 `{}`. */
  behave(behaviour: Behaviour): void;
  /** Resolves as soon as this many deliveries have arrived in all. */
  received(count: number): Promise<Delivery[]>;
};

export const answerWith =
  (status: number, headers: Record<string, string> = {}, body = '{}'): Behaviour =>
  (_delivery, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  };

export type HeldAnswers = {
  /** Resolves as soon as an answer waits. */
  waits(): Promise<void>;
  /** Gives the answer that has waited longest, as soon as one waits. */
  release(): Promise<void>;
};

/** From now on the messenger's answers wait until they are released. */
export function holdAnswers(messenger: Messenger, answer: Behaviour = answerWith(200)): HeldAnswers {
  const held: (() => void)[] = [];
  let came = Promise.withResolvers<void>();
  messenger.behave((delivery, response) => {
    held.push(() => answer(delivery, response));
    came.resolve();
    came = Promise.withResolvers();
  });
  const waits = async (): Promise<void> => {
    if (held.length === 0) await came.promise;
  };
  return {
    waits,
    async release() {
      await waits();
      held.shift()?.();
    },
  };
}

/**
 * A foreign HTTP server that we call: a messenger behind API_Messenger, or a partner's webhook receiver. An event
 * that contradicts its description fails the test at its end.
 */
export async function startMessenger(lifetime: {
  after(cleanUp: () => Promise<void>): void;
}): Promise<Messenger> {
  const deliveries: Delivery[] = [];
  const waiting: { count: number; resolve: (deliveries: Delivery[]) => void }[] = [];
  let behaviour: Behaviour = answerWith(200);
  let wrong: string | undefined;

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString();
    const delivery = { headers: request.headers, raw, body: JSON.parse(raw || 'null') };
    deliveries.push(delivery);
    wrong ??= problemOfWebhook(delivery.body);
    behaviour(delivery, response);
    for (const waiter of waiting) if (deliveries.length >= waiter.count) waiter.resolve(deliveries);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  lifetime.after(async () => {
    server.closeAllConnections();
    server.close();
    if (wrong !== undefined) throw new Error(wrong);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    deliveries,
    behave: (next) => {
      behaviour = next;
    },
    received: (count) =>
      deliveries.length >= count
        ? Promise.resolve(deliveries)
        : new Promise((resolve) => waiting.push({ count, resolve })),
  };
}
