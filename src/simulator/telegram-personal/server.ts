import { createServer, type Socket } from 'node:net';
import { Long, type mtp, type tl } from '@mtcute/node';
import { __tlWriterMap, TlBinaryWriter } from '@mtcute/node/utils.js';
import type { Place } from '../http-api.ts';
import { type Call, type CallMessage, messagesIn } from './calls.ts';
import { createEnvelope, type Opened } from './envelope.ts';
import { createCutter, frameOf } from './frames.ts';

/** An error of a call, in Telegram's words. */
export class RpcRefusal extends Error {
  readonly code: number;
  constructor(code: number, words: string) {
    super(words);
    this.code = code;
  }
}

/** The library's own types of all objects together are too many for the compiler. */
type TlObject = { readonly _: string };

export type Result = TlObject | readonly TlObject[] | boolean;

/** The answer to a call. `close` ends the connection, and `hang` gives no answer. May also throw `RpcRefusal`. */
export type Answering = (call: Call) => Promise<Result | RpcRefusal | 'close' | 'hang'>;

export type MtprotoServer = {
  port: number;
  /** Sends an update to everybody who listens. */
  push(update: tl.TypeUpdates): void;
  /** Somebody listens. */
  isHeard(): boolean;
  /** Ends every connection. */
  cut(): void;
};

/** The number of the only server. */
export const serverNumber = 2;

const salt = Long.fromNumber(3_100_000_001);
const wrongSalt = 48;

export const seconds = (): number => Math.floor(Date.now() / 1000);

/** MTProto over TCP, for clients that share a key with us: there is no handshake. */
export async function startMtproto(
  place: Place,
  { port, key, answer }: { port: number; key: Uint8Array; answer: Answering },
): Promise<MtprotoServer> {
  const envelope = await createEnvelope(key);
  const connections = new Set<Connection>();
  let sent = 0;

  /** Ids of messages only grow. An odd one is the server's. */
  const nextMessage = (): Long => {
    sent += 1;
    return new Long((sent << 2) | 1, seconds());
  };

  class Connection {
    /** It asked for what it missed, and gets updates from then on. */
    isHearing = false;
    #session: Long | null = null;
    #count = 0;
    readonly #socket: Socket;
    constructor(socket: Socket) {
      this.#socket = socket;
      const cut = createCutter();
      socket.on('error', () => {});
      socket.on('close', () => connections.delete(this));
      socket.on('data', (chunk: Buffer) => {
        try {
          for (const packet of cut(chunk)) this.#take(envelope.open(packet));
        } catch {
          // Nobody who has the key sends this, and nobody else gets an answer.
          socket.destroy();
        }
      });
    }
    end(): void {
      this.#socket.destroy();
    }
    say(object: tl.TypeUpdates | mtp.TlObject): void {
      this.#write(Buffer.from(TlBinaryWriter.serializeObject(__tlWriterMap, object)));
    }
    #write(body: Buffer): void {
      if (this.#session === null || !this.#socket.writable) return;
      this.#count += 1;
      const seqNo = this.#count * 2 - 1;
      const sealed = envelope.seal({ salt, session: this.#session, message: nextMessage(), seqNo, body });
      this.#socket.write(frameOf(sealed));
    }
    #take(opened: Opened): void {
      const isNew = this.#session === null;
      this.#session = opened.session;
      if (opened.salt.neq(salt)) {
        const { message: badMsgId, seqNo: badMsgSeqno } = opened;
        const errorCode = wrongSalt;
        this.say({ _: 'mt_bad_server_salt', badMsgId, badMsgSeqno, errorCode, newServerSalt: salt });
        return;
      }
      const messages = messagesIn(opened);
      const [first = opened] = messages;
      if (isNew) {
        const uniqueId = nextMessage();
        this.say({ _: 'mt_new_session_created', firstMsgId: first.message, uniqueId, serverSalt: salt });
      }
      for (const message of messages) this.#perform(message).catch(() => this.end());
    }
    /** The library asks again for what got no answer, and can write no list of salts. We keep one salt for ever. */
    async #perform({ message, call }: CallMessage): Promise<void> {
      switch (call._) {
        case 'mt_msgs_ack':
        case 'mt_get_future_salts':
          return;
        case 'mt_ping':
        case 'mt_ping_delay_disconnect':
          return this.say({ _: 'mt_pong', msgId: message, pingId: call.pingId });
        case 'mt_msgs_state_req': {
          const info = new Uint8Array(call.msgIds.length).fill(received);
          return this.say({ _: 'mt_msgs_state_info', reqMsgId: message, info });
        }
        case 'mt_destroy_session':
          return this.say({ _: 'mt_destroy_session_none', sessionId: call.sessionId });
        case 'mt_rpc_drop_answer':
          return this.#write(resultOf(message, { _: 'mt_rpc_answer_unknown' }));
        default:
          return this.#answer(message, call);
      }
    }
    async #answer(message: Long, call: Call): Promise<void> {
      if (call._ === 'updates.getDifference') this.isHearing = true;
      const result = await answer(call).catch(refusalIn);
      if (result === 'close') this.end();
      else if (result !== 'hang')
        this.#write(resultOf(message, result instanceof RpcRefusal ? errorOf(result) : result));
    }
  }

  const server = createServer((socket) => connections.add(new Connection(socket)));
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const cut = (): void => {
    for (const connection of connections) connection.end();
  };
  place.after(() => {
    cut();
    server.close();
  });
  const hearing = () => [...connections].filter(({ isHearing }) => isHearing);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    port: address.port,
    push: (update) => {
      for (const connection of hearing()) connection.say(update);
    },
    isHeard: () => hearing().length > 0,
    cut,
  };
}

/** In the state of a message: it was received. */
const received = 4;

function refusalIn(error: unknown): RpcRefusal {
  if (error instanceof RpcRefusal) return error;
  throw error;
}

const errorOf = ({ code: errorCode, message: errorMessage }: RpcRefusal): mtp.RawMt_rpc_error => ({
  _: 'mt_rpc_error',
  errorCode,
  errorMessage,
});

const rpcResult = 0xf3_5c_6d_01;
const vector = 0x1c_b5_c4_15;

function resultOf(message: Long, result: Result): Buffer {
  const head = TlBinaryWriter.alloc(undefined, 12);
  head.uint(rpcResult);
  head.long(message);
  return Buffer.concat([head.result(), written(result)]);
}

function written(result: Result): Buffer {
  if (typeof result === 'boolean') {
    const writer = TlBinaryWriter.alloc(undefined, 4);
    writer.boolean(result);
    return Buffer.from(writer.result());
  }
  if (!('_' in result)) {
    const head = TlBinaryWriter.alloc(undefined, 8);
    head.uint(vector);
    head.uint(result.length);
    return Buffer.concat([head.result(), ...result.map(written)]);
  }
  return Buffer.from(TlBinaryWriter.serializeObject(__tlWriterMap, result));
}
