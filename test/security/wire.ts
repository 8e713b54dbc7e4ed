import { connect } from 'node:net';
import type { Answer } from './answers.ts';

/** The last request of a caller who waits for all answers. */
export const farewell = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** A server that is silent for this long will not answer any more. */
const patienceMs = 20_000;

/**
 * The server's whole answer to these bytes until the connection ends. A caller who leaves sends no more and does not
 * wait. A caller who stays has sent `farewell`.
 */
export async function exchange(
  address: string,
  bytes: string | Buffer,
  does: 'stay' | 'leave' = 'stay',
): Promise<string> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // The connection of a caller who is refused in the middle of a request is cut.
  socket.on('error', () => {});
  let hangs = false;
  socket.setTimeout(patienceMs, () => {
    hangs = true;
    socket.destroy();
  });
  const said = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  if (does === 'leave') socket.end(said);
  else socket.write(said);
  await new Promise((resolve) => socket.once('close', resolve));
  const heard = Buffer.concat(chunks).toString('latin1');
  if (hangs) throw new Error(`the server hangs after ${JSON.stringify(heard)}`);
  return heard;
}

/**
 * The consecutive answers on a connection. Interim answers do not count. Neither does an answer that was cut short
 * because its caller continued to send.
 */
export function answersIn(heard: string): Answer[] {
  const answers: Answer[] = [];
  for (let rest = heard; rest !== ''; ) {
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(rest)?.[1]);
    if (Number.isNaN(status)) throw new Error(`no HTTP: ${JSON.stringify(rest.slice(0, 300))}`);
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) break;
    const headers = Object.fromEntries(rest.slice(0, end).split('\r\n').slice(1).map(splitHeader));
    rest = rest.slice(end + 4);
    const length = lengthOf(rest, headers);
    if (rest.length < length && rest !== '') break;
    const text = Buffer.from(rest.slice(0, length), 'latin1').toString();
    rest = rest.slice(length);
    if (status >= 200) answers.push({ status, headers, text });
  }
  return answers;
}

function splitHeader(text: string): [string, string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon).toLowerCase(), text.slice(colon + 1).trim()];
}

/** An answer to HEAD states a length and has no body: the next one begins at once. */
const lengthOf = (rest: string, headers: Record<string, string>): number =>
  rest.startsWith('HTTP/1.1 ') ? 0 : Number(headers['content-length'] ?? 0);
