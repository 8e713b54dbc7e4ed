import { type Client, release, takeBatch } from './gateway-client.ts';
import { createTurns, type Turns } from './gateway-turns.ts';
import { createSession } from './session.ts';
import {
  copyInResponse,
  farewell,
  messagesOf,
  readyBytes,
  readyStatus,
  type Unit,
  withoutCopyInResponse,
} from './wire.ts';

/**
 * Runs whole protocol messages and hands out the answer piece by piece. A piece is valid during the call only. A step
 * may take `limitMs`.
 */
export type Execute = (
  messages: Buffer,
  onAnswer: (piece: Uint8Array) => void,
  limitMs: number,
) => Promise<void>;

const writeBytes = 64 * 1024;
/** For the gateway's own statements. */
const ownLimitMs = 60_000;

export type Serving = Pick<Turns, 'enqueue' | 'areRunning'>;

/** Serves clients in turns, with one shared session. */
export function createServing(execute: Execute, isDiskLow: () => boolean, patienceMs: number): Serving {
  const session = createSession(run, isDiskLow);
  const turns = createTurns(takeTurn, patienceMs);
  return turns;

  async function takeTurn(client: Client): Promise<void> {
    const isAbandoned = client.gone && !client.framer.terminated;
    if (client.units.length > 0 && !isAbandoned) await serve(client);
    else await dismiss(client);
  }

  async function serve(client: Client): Promise<void> {
    const { kind, bytes, touches } = takeBatch(client);
    if (kind === 'copyStart') {
      client.socket.write(copyInResponse);
    } else {
      if (!turns.isHolder(client) && !(await admit(client))) return;
      if (!client.isMidUnit) await session.prepare(client, touches);
      const status = await answer(execute, client, { kind, bytes });
      session.note(client, touches);
      client.isMidUnit = kind === 'flush';
      turns.hold(client, status !== 'I');
    }
    release(client, bytes);
    turns.enqueue(client);
  }

  /** Begins a client's turn. A client whose startup message asks for unknown settings gets none. */
  async function admit(client: Client): Promise<boolean> {
    const told = await session.enter(client);
    if (told.length > 0 && client.socket.writable) client.socket.write(told);
    if (!messagesOf(told).some(({ type }) => type === 'E')) return true;
    client.units = [];
    client.socket.destroySoon();
    return false;
  }

  async function dismiss(client: Client): Promise<void> {
    const names = [...client.framer.statements.keys()].filter((name) => name !== '');
    await run(farewell(names, turns.isHolder(client)));
    session.note(
      client,
      ['', ...names].map((name) => ({ how: 'closes', name })),
    );
    if (turns.isHolder(client)) turns.hold(client, false);
    await session.leave(client);
  }

  async function run(messages: Buffer): Promise<Buffer> {
    const pieces: Buffer[] = [];
    await execute(messages, (piece) => pieces.push(Buffer.from(piece)), ownLimitMs);
    return Buffer.concat(pieces);
  }
}

/** Runs a batch, passes the answer on, and returns the transaction status at its end. */
async function answer(
  execute: Execute,
  client: Client,
  { kind, bytes }: Pick<Unit, 'kind' | 'bytes'>,
): Promise<string | undefined> {
  let pieces: Buffer[] = [];
  let size = 0;
  let tail = Buffer.alloc(0);
  const passOn = () => {
    const part = Buffer.concat(pieces);
    tail = Buffer.concat([tail, part.subarray(-readyBytes)]).subarray(-readyBytes);
    if (client.socket.writable) client.socket.write(kind === 'copy' ? withoutCopyInResponse(part) : part);
    pieces = [];
    size = 0;
  };
  const onAnswer = (piece: Uint8Array) => {
    pieces.push(Buffer.from(piece));
    size += piece.length;
    if (size >= writeBytes && kind !== 'copy') passOn();
  };
  await execute(bytes, onAnswer, client.limitMs);
  if (size > 0) passOn();
  return kind === 'flush' ? undefined : readyStatus(tail);
}
