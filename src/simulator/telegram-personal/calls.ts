import { createRequire } from 'node:module';
import { unzipSync } from 'node:zlib';
import type { mtp, tl } from '@mtcute/node';
import { __tlReaderMap, TlBinaryReader } from '@mtcute/node/utils.js';
import type { Opened } from './envelope.ts';
import { Malformed } from './frames.ts';

/** What a client sends in one message: a call, or a service message of the protocol. */
export type Call = tl.RpcMethod | mtp.TlObject;

export type CallMessage = Pick<Opened, 'message' | 'seqNo'> & { call: Call };

type Argument = {
  name: string;
  type: string;
  typeModifiers?: { predicate?: string; isVector?: boolean };
};

type Entry = { kind: 'class' | 'method'; name: string; id: number; arguments: Argument[] };

const schema: { e: Entry[] } = createRequire(import.meta.url)('@mtcute/core/tl/api-schema.json');

/** The library writes calls, and reads only what servers send. Its schema describes the calls. */
const readers = {
  ...__tlReaderMap,
  ...Object.fromEntries(
    schema.e.filter(({ kind }) => kind === 'method').map((method) => [method.id, readerOf(method)]),
  ),
};

/** A call that wraps another, as the first of a connection does, is read as the other. */
function readerOf({ name: method, arguments: given }: Entry) {
  return (reader: TlBinaryReader): unknown => {
    const call: Record<string, unknown> = { _: method };
    const flags = new Map<string, number>();
    for (const { name, type, typeModifiers: { predicate, isVector } = {} } of given) {
      const [word = '', bit] = predicate?.split('.') ?? [];
      const isGiven = predicate === undefined || ((flags.get(word) ?? 0) & (1 << Number(bit))) !== 0;
      if (type === '!X') return reader.object();
      if (type === '#') flags.set(name, reader.uint());
      else if (type === 'true') call[camelOf(name)] = isGiven;
      else if (isGiven)
        call[camelOf(name)] = isVector ? reader.vector(() => valueIn(reader, type)) : valueIn(reader, type);
    }
    return call;
  };
}

const camelOf = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function valueIn(reader: TlBinaryReader, type: string): unknown {
  switch (type) {
    case 'int':
      return reader.int();
    case 'int53':
      return reader.int53();
    case 'long':
      return reader.long();
    case 'double':
      return reader.double();
    case 'int256':
      return reader.int256();
    case 'string':
      return reader.string();
    case 'bytes':
      return reader.bytes();
    default:
      return reader.object();
  }
}

const container = 0x73_f1_f8_dc;
const packed = 0x30_72_cf_a1;
const mostUnpacked = 2 * 1024 * 1024;
const mostMessages = 1_020;

/** The messages of a packet, which is one message or a container of some. Throws for anything else. */
export function messagesIn({ message, seqNo, body }: Opened): CallMessage[] {
  const reader = new TlBinaryReader(readers, body);
  if (reader.peekUint() !== container) return [{ message, seqNo, call: callIn(body) }];
  reader.uint();
  const count = reader.uint();
  if (count > mostMessages) throw new Malformed('too many messages');
  return Array.from({ length: count }, () => ({
    message: reader.long(),
    seqNo: reader.uint(),
    call: callIn(reader.raw(reader.uint())),
  }));
}

function callIn(body: Uint8Array): Call {
  const reader = new TlBinaryReader(readers, body);
  if (reader.uint() !== packed) return TlBinaryReader.deserializeObject<Call>(readers, body);
  const unpacked = unzipSync(reader.bytes(), { maxOutputLength: mostUnpacked });
  return TlBinaryReader.deserializeObject<Call>(readers, unpacked);
}
