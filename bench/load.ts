import { once } from 'node:events';
import { connect } from 'node:net';

/** `p99`: of the times until the whole answer, in ms. */
export type Load = { answers: number; perSecond: number; refused: number; p99: number };

/**
 * Sends POSTs over `connections` kept-alive connections, one request at a time on each, and counts responses. `body`
 * makes each text, or all are the same. Raw sockets keep the generator's load low, because it shares two cores with the server.
 */
export async function load(options: {
  url: string;
  path: string;
  headers: Record<string, string>;
  body: string | (() => string);
  connections: number;
  seconds: number;
}): Promise<Load> {
  const { hostname, port, host } = new URL(options.url);
  const requestWith = (body: string): Buffer =>
    Buffer.from(
      [
        `POST ${options.path} HTTP/1.1`,
        `host: ${host}`,
        'content-type: application/json',
        `content-length: ${Buffer.byteLength(body)}`,
        ...Object.entries(options.headers).map(([name, value]) => `${name}: ${value}`),
        '',
        body,
      ].join('\r\n'),
    );
  const { body } = options;
  const nextRequest = typeof body === 'string' ? repeat(requestWith(body)) : () => requestWith(body());
  const waits: number[] = [];
  let answers = 0;
  let refused = 0;
  const end = performance.now() + options.seconds * 1000;
  const begun = performance.now();

  const converse = async (): Promise<void> => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    let rest = '';
    let sentAt = 0;
    const send = (): void => {
      sentAt = performance.now();
      socket.write(nextRequest());
    };
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('data', (bytes) => {
        rest += bytes.toString('latin1');
        const head = rest.indexOf('\r\n\r\n');
        if (head < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(rest)?.[1] ?? 0);
        if (rest.length < head + 4 + length) return;
        if (/^HTTP\/1\.1 20[01]/.test(rest)) answers += 1;
        else refused += 1;
        rest = '';
        waits.push(performance.now() - sentAt);
        if (performance.now() < end) send();
        else resolve();
      });
      send();
    });
    socket.destroy();
  };
  await Promise.all(Array.from({ length: options.connections }, converse));
  const perSecond = answers / ((performance.now() - begun) / 1000);
  waits.sort((a, b) => a - b);
  return { answers, perSecond, refused, p99: waits[Math.ceil(waits.length * 0.99) - 1] ?? 0 };
}

const repeat =
  <T>(value: T) =>
  (): T =>
    value;
