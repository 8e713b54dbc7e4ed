import type { Client } from '../../contract/adapter.ts';
import type { Settings } from './settings.ts';

/** The part of MTProto that we use. A library implements it, and tests use a fake. */
export type Account = {
  /** The users of the account's dialogs, newest first. */
  people(): Promise<Person[]>;
  /** Both throw `Refused`. */
  personByUsername(username: string): Promise<Person>;
  personByPhone(phone: string): Promise<Person>;
  /** Adds the number to the account's contacts. Null for a number without an account. */
  addContact(phone: string): Promise<Person | null>;
  /** Resolves with the id of the message. `key` is its idempotency key. Throws `Refused`. */
  send(person: Person, message: Outgoing, signal: AbortSignal): Promise<number | null>;
  /** The number of the latest message that the account sent to the person, if it is a recent one. Throws `Refused`. */
  lastSent(person: Person, signal: AbortSignal): Promise<number | null>;
  /** The person in whose chat this message is. Null if it is in another one. Throws `Refused`. */
  personWith(personId: string, message: number): Promise<Person | null>;
  /** Delivers updates since the place with which the account was opened, or from now on if it was null. */
  listen(ears: Ears): Promise<void>;
  close(): Promise<void>;
};

export type Person = { id: string; name: string; username: string | null; phone: string | null };

export type Outgoing = {
  key: bigint;
  text: string;
  file: { kind: 'image' | 'document'; name: string; type: string; bytes: Buffer } | null;
};

/** `place` is the cursor to continue from once the update is stored. */
export type Ears = {
  message(heard: Heard, place: string): void;
  read(personId: string, upTo: number, place: string): void;
  lost(error: Error): void;
};

/** A message from a user in a private chat. */
export type Heard = { id: number; from: Person; text: string; file: HeardFile | null };
/** `size` in bytes. Null if Telegram does not name it, as of photos, which are small. */
export type HeardFile = {
  kind: 'image' | 'document';
  name: string | null;
  size: number | null;
  bytes(): Promise<Buffer>;
};

/** An RPC error of Telegram. */
export class Refused extends Error {
  readonly code: number;
  /** For example PEER_FLOOD. FLOOD_WAIT comes without its seconds. */
  readonly text: string;
  readonly seconds: number | null;
  constructor(code: number, text: string, seconds: number | null = null) {
    super(text);
    this.code = code;
    this.text = text;
    this.seconds = seconds;
  }
}

/** Connects with the session, or gives up at the signal. Throws `Refused`. */
export type OpenAccount = (
  settings: Settings & { session: string },
  client: Client,
  place: string | null,
  signal: AbortSignal,
) => Promise<Account>;
