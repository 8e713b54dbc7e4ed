import { once } from 'node:events';
import { connect } from 'node:net';

export type Load = { perSecond: number; refused: number };

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
  let answers = 0;
  let refused = 0;
  const end = performance.now() + options.seconds * 1000;
  const begun = performance.now();

  const converse = async (): Promise<void> => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    let rest = '';
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
        if (performance.now() < end) socket.write(nextRequest());
        else resolve();
      });
      socket.write(nextRequest());
    });
    socket.destroy();
  };
  await Promise.all(Array.from({ length: options.connections }, converse));
  return { perSecond: answers / ((performance.now() - begun) / 1000), refused };
}

const repeat =
  <T>(value: T) =>
  (): T =>
    value;
