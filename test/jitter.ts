import { Socket } from 'node:net';

/**
 * `NODE_OPTIONS='--import ./test/jitter.ts' node test/run.ts`: one write in thirty of a socket is late by up to half a
 * second, and at most one in a second. Tests and programs fail if they depend on which of two connections is faster.
 */

// Tests may replace both.
const { setTimeout } = globalThis;
const time = performance.now.bind(performance);

type Write = (this: Socket, ...args: unknown[]) => void;
const prototype = Socket.prototype as unknown as { _writeGeneric: Write };
const write = prototype._writeGeneric;
const lateAt = new WeakMap<Socket, number>();
prototype._writeGeneric = function (...args) {
  const now = time();
  const isLate = Math.random() < 1 / 30 && now - (lateAt.get(this) ?? Number.NEGATIVE_INFINITY) > 1000;
  if (!isLate) return write.apply(this, args);
  lateAt.set(this, now);
  setTimeout(() => write.apply(this, args), Math.random() * 500);
};
