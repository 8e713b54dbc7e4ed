import type { Long, mtp } from '@mtcute/node';
import { __tlWriterMap, TlBinaryWriter } from '@mtcute/node/utils.js';

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

const rpcResult = 0xf3_5c_6d_01;
const vector = 0x1c_b5_c4_15;

/** The body of a message that answers this one. */
export function resultOf(message: Long, result: Result | RpcRefusal): Buffer {
  const head = TlBinaryWriter.alloc(undefined, 12);
  head.uint(rpcResult);
  head.long(message);
  return Buffer.concat([head.result(), written(result instanceof RpcRefusal ? errorOf(result) : result)]);
}

const errorOf = ({ code: errorCode, message: errorMessage }: RpcRefusal): mtp.RawMt_rpc_error => ({
  _: 'mt_rpc_error',
  errorCode,
  errorMessage,
});

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
