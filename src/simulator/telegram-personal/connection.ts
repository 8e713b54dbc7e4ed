import type { Socket } from 'node:net';
import { Long, type mtp, type tl } from '@mtcute/node';
import { __tlWriterMap, TlBinaryWriter } from '@mtcute/node/utils.js';
import { type Call, type CallMessage, messagesIn } from './calls.ts';
import type { Envelope, Opened } from './envelope.ts';
import { createCutter, frameOf } from './frames.ts';
import { type Result, RpcRefusal, resultOf } from './rpc.ts';

/** The answer to a call. `close` ends the connection, and `hang` gives no answer. May also throw `RpcRefusal`. */
export type Answering = (call: Call) => Promise<Result | RpcRefusal | 'close' | 'hang'>;

/** What all connections share. */
export type Protocol = { envelope: Envelope; nextMessage(): Long; answer: Answering };

const salt = Long.fromNumber(3_100_000_001);
const wrongSalt = 48;
/** In the state of a message: it was received. */
const received = 4;

/** One connection of a client. A session begins with it. */
export class Connection {
  /** It asked for what it missed, and gets updates from then on. */
  isHearing = false;
  #session: Long | null = null;
  #count = 0;
  readonly #socket: Socket;
  readonly #protocol: Protocol;
  constructor(socket: Socket, protocol: Protocol) {
    this.#socket = socket;
    this.#protocol = protocol;
    const cut = createCutter();
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const packet of cut(chunk)) this.#take(protocol.envelope.open(packet));
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
    const { envelope, nextMessage } = this.#protocol;
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
      const uniqueId = this.#protocol.nextMessage();
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
    const result = await this.#protocol.answer(call).catch(refusalIn);
    if (result === 'close') this.end();
    else if (result !== 'hang') this.#write(resultOf(message, result));
  }
}

function refusalIn(error: unknown): RpcRefusal {
  if (error instanceof RpcRefusal) return error;
  throw error;
}
