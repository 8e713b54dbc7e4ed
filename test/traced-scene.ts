import assert from 'node:assert/strict';
import { createLog } from '../src/platform/log.ts';
import { createPartner, type Lifetime, startPatchbay } from './harness.ts';
import { type Collector, startCollector } from './stand-ins/collector.ts';
import { startMessenger } from './stand-ins/messenger.ts';

export const pushPath = '/api/partners/push-messages/';

/** A partner's trace, as `traceparent` names it. */
export const theirTrace = '0af7651916cd43dd8448eb211c80319c';
export const theirSpan = 'b7ad6b7169203331';

export const tracesTo = ({ endpoint }: Pick<Collector, 'endpoint'>, ratio = 1) => ({
  endpoint,
  headers: { authorization: 'Bearer of the collector' },
  serviceName: 'patchbay-test',
  ratio,
});

type Line = Record<string, unknown>;

/** A log that tests can wait for. */
function listeningLog() {
  const lines: Line[] = [];
  let waiting: (() => void)[] = [];
  const log = createLog('debug', {
    write(text) {
      lines.push(JSON.parse(text));
      const told = waiting;
      waiting = [];
      for (const tell of told) tell();
    },
  });
  /** Resolves with the first line of this text, or the first in this trace. */
  async function said(text: string, trace?: string): Promise<Line> {
    for (;;) {
      const line = lines.find(
        ({ msg, traceId }) => msg === text && (trace === undefined || traceId === trace),
      );
      if (line) return line;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  }
  return { log, lines, said };
}

/** The whole program with a collector, a partner who hears everything, and a client who has written. */
export async function tracedScene(lifetime: Lifetime, { ratio = 1 } = {}) {
  const collector = await startCollector(lifetime);
  const { log, lines, said } = listeningLog();
  const patchbay = await startPatchbay(lifetime, { config: { traces: tracesTo(collector, ratio) }, log });
  const partner = await createPartner(lifetime, patchbay);
  const receiver = await startMessenger(lifetime);
  const { status } = await patchbay.call('PUT', '/api/partners/integrations/credentials/', {
    headers: partner.token,
    body: { webhook_url: receiver.url, webhook_events: [], webhook_platforms: [] },
  });
  assert.equal(status, 200);
  const { chat } = await partner.client('Ann Secretname', { phone: '+79991234567' });
  // The confirmation and the client's message.
  await receiver.received(2);
  const push = (content: object, headers: Record<string, string> = {}) =>
    patchbay.call('POST', pushPath, {
      headers: { ...partner.key, ...headers },
      body: { chat: { uuid: chat }, content },
    });
  const say = (text: string, headers?: Record<string, string>) => push({ type: 'TEXT', text }, headers);
  const receipt = (uuid: string, state: string) =>
    patchbay.call('POST', `/channels/${partner.channel.id}/receipts/`, {
      headers: { authorization: `Bearer ${partner.channel.secret}` },
      body: { message: { uuid }, state },
    });
  const traceIn = async (id: string): Promise<unknown> =>
    (await patchbay.context.sql`select trace from messages where id = ${id}`)[0]?.trace;
  return { collector, lines, said, patchbay, partner, receiver, push, say, receipt, traceIn };
}
