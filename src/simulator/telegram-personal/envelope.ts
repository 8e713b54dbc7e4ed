import { createHash, randomBytes } from 'node:crypto';
import { Long } from '@mtcute/node';
import { createAesIgeForMessage, NodeCryptoProvider } from '@mtcute/node/utils.js';
import { Malformed } from './frames.ts';

/** A decrypted packet. */
export type Opened = { salt: Long; session: Long; message: Long; seqNo: number; body: Buffer };

/** The server's side of MTProto 2.0's encryption with an agreed key. Source: core.telegram.org/mtproto/description. */
export type Envelope = {
  /** Throws `Malformed`. */
  open(packet: Buffer): Opened;
  seal(opened: Opened): Buffer;
};

const blockBytes = 16;
const headBytes = 32;
const leastPadding = 12;

export async function createEnvelope(key: Uint8Array): Promise<Envelope> {
  const crypto = new NodeCryptoProvider();
  await crypto.initialize();
  const keyId = createHash('sha1').update(key).digest().subarray(-8);
  /** The two directions use different parts of the key. */
  const digestOf = (plain: Uint8Array, isClients: boolean): Buffer => {
    const from = isClients ? 88 : 96;
    const part = key.subarray(from, from + 32);
    return createHash('sha256').update(part).update(plain).digest().subarray(8, 24);
  };

  return {
    open(packet) {
      const [id, digest, secret] = [packet.subarray(0, 8), packet.subarray(8, 24), packet.subarray(24)];
      if (!id.equals(keyId)) throw new Malformed('another key');
      if (secret.length < headBytes || secret.length % blockBytes > 0) throw new Malformed('no whole blocks');
      const plain = Buffer.from(createAesIgeForMessage(crypto, key, digest, true).decrypt(secret));
      const length = plain.readUInt32LE(28);
      if (!digestOf(plain, true).equals(digest)) throw new Malformed('a forged packet');
      if (length > plain.length - headBytes) throw new Malformed('a wrong length');
      return {
        salt: longAt(plain, 0),
        session: longAt(plain, 8),
        message: longAt(plain, 16),
        seqNo: plain.readUInt32LE(24),
        body: plain.subarray(headBytes, headBytes + length),
      };
    },
    seal({ salt, session, message, seqNo, body }) {
      const head = Buffer.alloc(headBytes);
      for (const [place, long] of [salt, session, message].entries()) head.set(long.toBytesLE(), place * 8);
      head.writeUInt32LE(seqNo, 24);
      head.writeUInt32LE(body.length, 28);
      const unfilled = (headBytes + body.length + leastPadding) % blockBytes;
      const padding = randomBytes(leastPadding + ((blockBytes - unfilled) % blockBytes));
      const plain = Buffer.concat([head, body, padding]);
      const digest = digestOf(plain, false);
      const secret = createAesIgeForMessage(crypto, key, digest, false).encrypt(plain);
      return Buffer.concat([keyId, digest, secret]);
    },
  };
}

const longAt = (bytes: Buffer, at: number): Long => Long.fromBytesLE([...bytes.subarray(at, at + 8)]);
