/**
 * The part of PostgreSQL's wire protocol that the gateway needs: the ends of a client's messages, and the messages
 * that the gateway writes. Source: PostgreSQL documentation, "Frontend/Backend Protocol".
 */

/**
 * Messages of one client that PostgreSQL must see in one piece. `sync` is answered up to ReadyForQuery. `flush` is
 * answered at once, and the unit continues. `copyStart` (no bytes) requests the data of a COPY FROM STDIN. `copy` is
 * that statement together with all of its data.
 */
export type Unit = {
  kind: 'sync' | 'flush' | 'copyStart' | 'copy';
  bytes: Buffer;
  /** Its effects on prepared statements, in order. The empty name counts as a statement. */
  touches: Touch[];
};

export type Touch = { how: 'makes' | 'uses' | 'closes'; name: string };

/** A client's messages cannot be served. The connection must be closed with this text. */
export class ProtocolViolation extends Error {}

const headerBytes = 5;
export const readyBytes = 6;
const maxMessageBytes = 2 ** 29;
const frontendMessages = new Set(Buffer.from('BCDEFHPQSXcdf'));
const code = (letter: string): number => letter.charCodeAt(0);
const type = {
  bind: code('B'),
  close: code('C'),
  copyDone: code('c'),
  copyFail: code('f'),
  describe: code('D'),
  flush: code('H'),
  functionCall: code('F'),
  parse: code('P'),
  query: code('Q'),
  ready: code('Z'),
  sync: code('S'),
  terminate: code('X'),
} as const;

/**
 * Cuts a client's stream into units. Every byte is copied a bounded number of times, however it arrives. `prefix`
 * precedes the names of the client's prepared statements, which keeps clients apart.
 */
export class Framer {
  /** Prepared statements of this client by name, with the messages that made them. */
  readonly statements = new Map<string, Buffer>();
  terminated = false;
  readonly #prefix: string;
  #rest: Buffer[] = [];
  #restBytes = 0;
  #wantedBytes = headerBytes;
  #parts: Buffer[] = [];
  #touches: Touch[] = [];
  #copying = false;

  constructor(prefix = '') {
    this.#prefix = prefix;
  }

  /** @throws ProtocolViolation */
  push(chunk: Buffer): Unit[] {
    this.#rest.push(chunk);
    this.#restBytes += chunk.length;
    if (this.#restBytes < this.#wantedBytes || this.terminated) return [];
    const buffer = this.#rest.length === 1 ? chunk : Buffer.concat(this.#rest);
    const units: Unit[] = [];
    let partStart = 0;
    let at = 0;
    this.#wantedBytes = headerBytes;
    while (buffer.length - at >= headerBytes) {
      const end = at + 1 + messageLength(buffer, at);
      if (end > buffer.length) {
        this.#wantedBytes = end - at;
        break;
      }
      const given = buffer.subarray(at, end);
      const message = this.#touch(given);
      if (message !== given) {
        this.#parts.push(buffer.subarray(partStart, at), message);
        partStart = end;
      }
      const kind = this.#read(given);
      if (this.terminated) break;
      at = end;
      if (kind === undefined) continue;
      if (kind === 'copyStart') {
        units.push({ kind, bytes: Buffer.alloc(0), touches: [] });
        continue;
      }
      units.push(this.#complete(kind, buffer.subarray(partStart, at)));
      partStart = at;
    }
    if (at > partStart) this.#parts.push(buffer.subarray(partStart, at));
    this.#rest = at < buffer.length ? [buffer.subarray(at)] : [];
    this.#restBytes = buffer.length - at;
    return units;
  }

  #complete(kind: Unit['kind'], last: Buffer): Unit {
    const bytes = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    const touches = this.#touches;
    this.#parts = [];
    this.#touches = [];
    return { kind, bytes, touches };
  }

  #read(message: Buffer): Unit['kind'] | undefined {
    switch (message[0]) {
      case type.query:
        this.#copying = isCopyIn(message.toString('latin1', headerBytes));
        return this.#copying ? 'copyStart' : 'sync';
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

  /**
   * Notes a message's effect on a prepared statement, and returns the message with that statement's name in the
   * session.
   */
  #touch(message: Buffer): Buffer {
    switch (message[0]) {
      case type.parse: {
        const renamed = this.#rename('makes', message, headerBytes);
        const query = message.toString('latin1', message.indexOf(0, headerBytes) + 1);
        if (mentionsCopyIn.test(query))
          throw new ProtocolViolation('COPY FROM STDIN is served as a simple query only');
        this.statements.set(this.#touches.at(-1)?.name ?? '', Buffer.from(renamed));
        return renamed;
      }
      case type.bind:
        return this.#rename('uses', message, message.indexOf(0, headerBytes) + 1);
      case type.describe:
        return isOfStatement(message) ? this.#rename('uses', message, headerBytes + 1) : message;
      case type.close: {
        if (!isOfStatement(message)) return message;
        const renamed = this.#rename('closes', message, headerBytes + 1);
        this.statements.delete(this.#touches.at(-1)?.name ?? '');
        return renamed;
      }
      case type.query:
        this.#touches.push({ how: 'closes', name: '' });
        return message;
      default:
        return message;
    }
  }

  #rename(how: Touch['how'], message: Buffer, nameAt: number): Buffer {
    const given = text(message, nameAt);
    const name = given === '' ? '' : this.#prefix + given;
    this.#touches.push({ how, name });
    if (name === given) return message;
    const renamed = Buffer.concat([
      message.subarray(0, nameAt),
      Buffer.from(this.#prefix, 'latin1'),
      message.subarray(nameAt),
    ]);
    renamed.writeUInt32BE(renamed.length - 1, 1);
    return renamed;
  }
}

const isOfStatement = (message: Buffer): boolean => message[headerBytes] === type.sync;

type OnMessage = (type: number, firstByte: number) => void;

/** Returns a function that takes a stream piece by piece, and reports each message that begins in it. */
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

// PGlite dies of a COPY FROM STDIN whose data has not arrived. The statement must therefore be recognised beforehand.
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

export const query = (text: string): Buffer => message('Q', text);

export const sync = message('S');

/**
 * Removes everything that a client leaves behind: its open unit, its transaction if it has one, its prepared
 * statements.
 */
export const farewell = (statements: Iterable<string>, inTransaction: boolean): Buffer =>
  Buffer.concat([
    ...(inTransaction ? [sync, query('ROLLBACK')] : []),
    ...Array.from(statements, (name) => message('C', Buffer.from('S'), Buffer.from(`${name}\0`, 'latin1'))),
    sync,
  ]);

/** The messages of a whole answer. */
export function messagesOf(answer: Buffer): { type: string; bytes: Buffer }[] {
  const messages = [];
  for (let at = 0; at < answer.length; ) {
    const end = at + 1 + answer.readUInt32BE(at + 1);
    messages.push({ type: String.fromCharCode(answer[at] ?? 0), bytes: answer.subarray(at, end) });
    at = end;
  }
  return messages;
}

/** The values of a DataRow without nulls. */
export function valuesOf(row: Buffer): string[] {
  const values = [];
  let at = headerBytes + 2;
  while (at < row.length) {
    const end = at + 4 + row.readUInt32BE(at);
    values.push(row.toString('latin1', at + 4, end));
    at = end;
  }
  return values;
}

/** A startup message for protocol 3.0. */
export function startupMessage(
  user: string,
  database: string,
  parameters: Record<string, string> = {},
): Buffer {
  const fields = Object.entries({ user, database, ...parameters }).flat();
  const body = Buffer.from(`\0\0\0\0\0\x03\0\0${fields.join('\0')}\0\0`);
  body.writeUInt32BE(body.length, 0);
  return body;
}

export type StartupRequest =
  | { kind: 'encrypt'; length: number }
  | { kind: 'cancel'; length: number }
  | { kind: 'start'; length: number; parameters: Map<string, string> };

/** The request in a connection's first message. `undefined` while it is incomplete. */
export function readStartup(bytes: Buffer): StartupRequest | undefined {
  if (bytes.length < 8) return undefined;
  const length = bytes.readUInt32BE(0);
  if (length < 8 || length > 10_000) throw new ProtocolViolation('this is not PostgreSQL protocol');
  if (bytes.length < length) return undefined;
  const request = bytes.readUInt32BE(4);
  if (request === 80877103 || request === 80877104) return { kind: 'encrypt', length };
  if (request === 80877102) return { kind: 'cancel', length };
  if (request >>> 16 !== 3) throw new ProtocolViolation('only protocol 3 is served');
  return { kind: 'start', length, parameters: startupParameters(bytes.toString('latin1', 8, length)) };
}

/** Names and values. Settings within `options` count like the others. */
function startupParameters(body: string): Map<string, string> {
  const fields = body.split('\0');
  const parameters = new Map<string, string>();
  for (let at = 0; fields[at]; at += 2) parameters.set(fields[at] ?? '', fields[at + 1] ?? '');
  const options = parameters.get('options') ?? '';
  parameters.delete('options');
  for (const [, name = '', value = ''] of options.matchAll(/(?:-c\s*|--)([\w.-]+)=((?:\\.|[^\s\\])*)/g))
    parameters.set(name.replaceAll('-', '_'), value.replaceAll(/\\(.)/g, '$1'));
  return parameters;
}

/** The transaction status at the end of an answer: `I` idle, `T` in a transaction, `E` in a failed one. */
export function readyStatus(tail: Buffer): string | undefined {
  const at = tail.length - readyBytes;
  return at >= 0 && tail.readUIntBE(at, 5) === 0x5a00000005
    ? String.fromCharCode(tail[at + 5] ?? 0)
    : undefined;
}

/** An answer without the CopyInResponse that the client already has. */
export const withoutCopyInResponse = (answer: Buffer): Buffer =>
  Buffer.concat(messagesOf(answer).flatMap(({ type, bytes }) => (type === 'G' ? [] : [bytes])));
