import type { Socket } from 'node:net';
import { type Framer, fatalError, ProtocolViolation, type Unit } from './wire.ts';

export type Client = {
  socket: Socket;
  framer: Framer;
  /** See `Guest`. */
  settings: string;
  limitMs: number;
  units: Unit[];
  /** Whether its last unit was a flush, so that the next unit continues it. */
  isMidUnit: boolean;
  waitingBytes: number;
  queued: boolean;
  gone: boolean;
};

/** Larger batches let a pipelining client go faster, smaller ones let the others in sooner. */
const maxBatchUnits = 128;
const maxWaitingBytes = 1024 * 1024;

/** Receives a client's bytes, and pauses the client when too many wait. */
export function receive(client: Client, chunk: Buffer): void {
  for (const unit of frame(client, chunk)) {
    client.units.push(unit);
    client.waitingBytes += unit.bytes.length;
  }
  if (client.waitingBytes > maxWaitingBytes) client.socket.pause();
  if (client.framer.terminated) client.socket.end();
}

/** Subtracts served bytes. */
export function release(client: Client, bytes: Buffer): void {
  client.waitingBytes -= bytes.length;
  if (client.waitingBytes <= maxWaitingBytes) client.socket.resume();
}

function frame(client: Client, chunk: Buffer): Unit[] {
  try {
    return client.framer.push(chunk);
  } catch (error) {
    if (!(error instanceof ProtocolViolation)) throw error;
    disconnect(client.socket, '08P01', error.message);
    return [];
  }
}

/** The client's next units that may run in one call. A unit after a flush, or of a COPY, waits for the answer. */
export function takeBatch(client: Client): Unit {
  const end = client.units.findIndex((unit, index) => unit.kind !== 'sync' || index === maxBatchUnits);
  const last = client.units[end];
  if (last && (end === 0 || last.kind === 'flush')) return joined(client.units.splice(0, end + 1));
  return joined(client.units.splice(0, end < 0 ? client.units.length : end));
}

const joined = (units: Unit[]): Unit => ({
  kind: units.at(-1)?.kind ?? 'sync',
  bytes: Buffer.concat(units.map((unit) => unit.bytes)),
  touches: units.flatMap((unit) => unit.touches),
});

export function disconnect(socket: Socket, sqlState: string, reason: string): void {
  if (socket.writable) socket.write(fatalError(sqlState, reason));
  socket.destroySoon();
}
