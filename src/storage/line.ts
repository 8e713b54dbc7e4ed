import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { Conversation } from './conversation.ts';
import { dial, type Endpoint } from './dial.ts';

/** The database does not answer, or the connection to it is gone. */
export class ConnectionLost extends Error {
  readonly code = 'CONNECTION_LOST';
}

/**
 * The socket that postgres.js gets, with two differences from a plain one.
 *
 * It is lost when an answer is due and nothing has been read for `patienceMs`, for nothing else notices a server
 * that vanished without a word.
 *
 * When lost it emits `error`, at once and after every later write; `close` only comes when its pool buries it. On
 * `close`, postgres.js 3.4.9 drops its socket although a transaction may still write to it, which then throws where
 * nobody can catch it, and it may keep unsent bytes for the next connection, which then never starts. So a lost line
 * stays lost, and the pool that had it is replaced.
 */
export class Line extends EventEmitter<{ data: [Buffer]; error: [Error]; close: [boolean] }> {
  readyState: 'open' | 'closed' = 'open';
  readonly #patienceMs: number;
  readonly #dialing = new AbortController();
  #socket: Socket | undefined;
  #lost: ConnectionLost | undefined;
  #ending = false;
  readonly #conversation = new Conversation();
  #lastReadAt = performance.now();
  #watch: NodeJS.Timeout | undefined;

  constructor(patienceMs: number) {
    super();
    this.#patienceMs = patienceMs;
    this.#startWatch(patienceMs);
  }

  /** Connects. Failing is being lost: this never throws. */
  async open(endpoint: Endpoint): Promise<void> {
    try {
      const socket = await dial(endpoint, this.#dialing.signal);
      this.#socket = socket;
      socket.on('data', (bytes) => this.#read(bytes));
      socket.on('error', (error) => this.lose(error.message));
      socket.on('close', () => this.#closed());
    } catch (error) {
      this.lose(error instanceof Error ? error.message : String(error));
    }
  }

  /** Never says that it is full: postgres.js then forgets to reserve a connection, and on `drain` it may use a reserved one. */
  write(bytes: Buffer, written?: () => void): boolean {
    if (!this.#socket) {
      process.nextTick(() => this.#complain());
      return true;
    }
    if (!this.#conversation.isAnswerDue) this.#lastReadAt = performance.now();
    this.#conversation.sent(bytes);
    this.#startWatch(this.#patienceMs);
    this.#socket.write(bytes, written);
    return true;
  }

  /** Says goodbye; `close` follows. */
  end(goodbye: Buffer): void {
    this.#ending = true;
    this.#socket?.end(goodbye);
  }

  destroy(): void {
    this.lose('the connection was given up');
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  /** Whether postgres.js may write more without having been asked to. */
  get isInTransaction(): boolean {
    return this.#conversation.isInTransaction;
  }

  /** Tells postgres.js that it may give the lost line's place to another. */
  bury(): void {
    this.destroy();
    this.#complain();
    this.emit('close', true);
  }

  lose(reason: string): void {
    if (this.readyState === 'closed') return;
    this.readyState = 'closed';
    this.#lost = new ConnectionLost(reason);
    clearTimeout(this.#watch);
    this.#dialing.abort();
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#complain();
  }

  #complain(): void {
    if (this.#lost && this.listenerCount('error') > 0) this.emit('error', this.#lost);
  }

  #closed(): void {
    if (!this.#ending) this.lose('the server closed the connection');
    if (this.readyState === 'closed') return;
    this.readyState = 'closed';
    clearTimeout(this.#watch);
    this.emit('close', false);
  }

  #read(bytes: Buffer): void {
    this.#lastReadAt = performance.now();
    this.#conversation.received(bytes);
    this.emit('data', bytes);
  }

  #startWatch(delayMs: number): void {
    if (!this.#conversation.isAnswerDue) return;
    this.#watch ??= setTimeout(() => {
      // What came while this process was busy is read first.
      setImmediate(() => this.#checkAnswer());
    }, delayMs).unref();
  }

  #checkAnswer(): void {
    this.#watch = undefined;
    if (this.readyState === 'closed' || !this.#conversation.isAnswerDue) return;
    const leftMs = this.#lastReadAt + this.#patienceMs - performance.now();
    if (leftMs > 0) this.#startWatch(leftMs);
    else this.lose(`the server has not answered for ${this.#patienceMs} ms`);
  }
}
