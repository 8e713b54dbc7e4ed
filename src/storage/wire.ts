/**
 * The little of PostgreSQL's wire protocol that the gateway has to understand: where a client's messages
 * end, and the few messages that it writes itself.
 * Source: PostgreSQL documentation, "Frontend/Backend Protocol".
 */

/**
 * Messages of one client that PostgreSQL must see in one piece.
 * `sync` is answered up to ReadyForQuery; `flush` is answered at once and more of it follows; `copyStart` (no bytes) asks for
 * the data of a COPY FROM STDIN; `copy` is that statement together with all of its data.
 */
export type Unit = { kind: 'sync' | 'flush' | 'copyStart' | 'copy'; bytes: Buffer };

/** What a client sent cannot be served; the connection must be closed with this text. */
export class ProtocolViolation extends Error {}

const headerBytes = 5;
export const readyBytes = 6;
const maxMessageBytes = 2 ** 29;
const frontendMessages = new Set(Buffer.from('BCDEFHPQSXcdf'));
const code = (letter: string): number => letter.charCodeAt(0);
const type = {
  close: code('C'),
  copyDone: code('c'),
  copyFail: code('f'),
  flush: code('H'),
  functionCall: code('F'),
  parse: code('P'),
  query: code('Q'),
  ready: code('Z'),
  sync: code('S'),
  terminate: code('X'),
} as const;

/** Cuts a client's stream into units. Every byte is copied a bounded number of times, however it arrives. */
export class Framer {
  /** Named prepared statements of this client, so that they can be closed when it goes. */
  readonly statements = new Set<string>();
  terminated = false;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #wantedBytes = headerBytes;
  #parts: Buffer[] = [];
  #copying = false;

  /** @throws ProtocolViolation */
  push(chunk: Buffer): Unit[] {
    this.#rest.push(chunk);
    this.#restBytes += chunk.length;
    if (this.#restBytes < this.#wantedBytes || this.terminated) return [];
    const buffer = this.#rest.length === 1 ? chunk : Buffer.concat(this.#rest);
    const units: Unit[] = [];
    let unitStart = 0;
    let at = 0;
    this.#wantedBytes = headerBytes;
    while (buffer.length - at >= headerBytes) {
      const end = at + 1 + messageLength(buffer, at);
      if (end > buffer.length) {
        this.#wantedBytes = end - at;
        break;
      }
      const kind = this.#read(buffer.subarray(at, end));
      if (this.terminated) break;
      at = end;
      if (kind === undefined) continue;
      if (kind === 'copyStart') {
        units.push({ kind, bytes: Buffer.alloc(0) });
        continue;
      }
      units.push({ kind, bytes: this.#complete(buffer.subarray(unitStart, at)) });
      unitStart = at;
    }
    if (at > unitStart) this.#parts.push(buffer.subarray(unitStart, at));
    this.#rest = at < buffer.length ? [buffer.subarray(at)] : [];
    this.#restBytes = buffer.length - at;
    return units;
  }

  #complete(last: Buffer): Buffer {
    if (this.#parts.length === 0) return last;
    const bytes = Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    return bytes;
  }

  #read(message: Buffer): Unit['kind'] | undefined {
    switch (message[0]) {
      case type.query:
        this.#copying = isCopyIn(message.toString('latin1', headerBytes));
        return this.#copying ? 'copyStart' : 'sync';
      case type.parse:
        this.#readParse(message);
        return undefined;
      case type.close:
        if (message[headerBytes] === type.sync) this.statements.delete(text(message, headerBytes + 1));
        return undefined;
      case type.copyDone:
      case type.copyFail:
        if (!this.#copying) return undefined;
        this.#copying = false;
        return 'copy';
      case type.sync:
        return this.#copying ? undefined : 'sync';
      case type.functionCall:
        return 'sync';
      case type.flush:
        return this.#copying ? undefined : 'flush';
      case type.terminate:
        this.terminated = true;
        return undefined;
      default:
        return undefined;
    }
  }

  #readParse(message: Buffer): void {
    const name = text(message, headerBytes);
    if (name !== '') this.statements.add(name);
    if (mentionsCopyIn.test(message.toString('latin1', headerBytes + name.length + 1)))
      throw new ProtocolViolation('COPY FROM STDIN is served as a simple query only');
  }
}

type OnMessage = (type: number, firstByte: number) => void;

/** A function that takes a stream piece by piece, and tells of each message that begins in it. */
export function scanMessages(onMessage: OnMessage): (piece: Buffer) => void {
  let rest = Buffer.alloc(0);
  let skip = 0;
  return (piece) => {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let at = skip;
    while (bytes.length - at >= (bytes[at] === type.ready ? readyBytes : headerBytes)) {
      onMessage(bytes[at] ?? 0, bytes[at + headerBytes] ?? 0);
      at += 1 + bytes.readUInt32BE(at + 1);
    }
    rest = Buffer.from(bytes.subarray(at));
    skip = Math.max(0, at - bytes.length);
  };
}

function messageLength(buffer: Buffer, at: number): number {
  const length = buffer.readUInt32BE(at + 1);
  if (!frontendMessages.has(buffer[at] ?? 0) || length < 4 || length > maxMessageBytes)
    throw new ProtocolViolation('this is not PostgreSQL protocol');
  return length;
}

const text = (message: Buffer, from: number): string =>
  message.toString('latin1', from, message.indexOf(0, from));

const mentionsCopyIn = /\bcopy\b.*\bfrom\s+stdin\b/is;

// PGlite dies of a COPY FROM STDIN whose data has not come yet, so it must be known for what it is beforehand.
function isCopyIn(query: string): boolean {
  if (!mentionsCopyIn.test(query)) return false;
  if (/^\s*copy\s/i.test(query)) return true;
  throw new ProtocolViolation('COPY FROM STDIN must be a query of its own');
}

function message(letter: string, ...body: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(
    body.map((part) => (typeof part === 'string' ? Buffer.from(`${part}\0`) : part)),
  );
  const header = Buffer.alloc(headerBytes);
  header.write(letter, 'latin1');
  header.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([header, content]);
}

/** Asks the client for CopyData in text format. */
export const copyInResponse = message('G', Buffer.from([0, 0, 0]));

export const fatalError = (sqlState: string, detail: string): Buffer =>
  message('E', 'SFATAL', 'VFATAL', `C${sqlState}`, `M${detail}`, Buffer.from([0]));

/** Leaves nothing of a client behind: its open unit, its transaction when it has one, its named statements. */
export const farewell = (statements: Iterable<string>, inTransaction: boolean): Buffer =>
  Buffer.concat([
    ...(inTransaction ? [message('S'), message('Q', 'ROLLBACK')] : []),
    ...Array.from(statements, (name) => message('C', Buffer.from('S'), Buffer.from(`${name}\0`, 'latin1'))),
    message('S'),
  ]);

/** A startup message for protocol 3.0. */
export function startupMessage(user: string, database: string): Buffer {
  const body = Buffer.from(`\0\0\0\0\0\x03\0\0user\0${user}\0database\0${database}\0\0`);
  body.writeUInt32BE(body.length, 0);
  return body;
}

/** What a connection's first message asks for; `undefined` while it is incomplete. */
export function readStartup(
  bytes: Buffer,
): { kind: 'start' | 'encrypt' | 'cancel'; length: number } | undefined {
  if (bytes.length < 8) return undefined;
  const length = bytes.readUInt32BE(0);
  if (length < 8 || length > 10_000) throw new ProtocolViolation('this is not PostgreSQL protocol');
  if (bytes.length < length) return undefined;
  const request = bytes.readUInt32BE(4);
  if (request === 80877103 || request === 80877104) return { kind: 'encrypt', length };
  if (request === 80877102) return { kind: 'cancel', length };
  if (request >>> 16 !== 3) throw new ProtocolViolation('only protocol 3 is served');
  return { kind: 'start', length };
}

/** The transaction status with which an answer ends: `I` idle, `T` in a transaction, `E` in a failed one. */
export function readyStatus(tail: Buffer): string | undefined {
  const at = tail.length - readyBytes;
  return at >= 0 && tail.readUIntBE(at, 5) === 0x5a00000005
    ? String.fromCharCode(tail[at + 5] ?? 0)
    : undefined;
}

/** An answer without the CopyInResponse that the client has had already. */
export function withoutCopyInResponse(answer: Buffer): Buffer {
  for (let at = 0; at < answer.length; ) {
    const end = at + 1 + answer.readUInt32BE(at + 1);
    if (answer[at] === code('G')) return Buffer.concat([answer.subarray(0, at), answer.subarray(end)]);
    at = end;
  }
  return answer;
}
