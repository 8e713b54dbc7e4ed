import type { Client } from '../../contract/adapter.ts';
import type { Settings } from './settings.ts';

/** What we need of MTProto, and no more: a library does it, and tests play it. */
export type Account = {
  /** Those that the account talks with, newest first. */
  people(): Promise<Person[]>;
  /** These two throw `Refused`. */
  personByUsername(username: string): Promise<Person>;
  personByPhone(phone: string): Promise<Person>;
  /** Adds the number to the account's contacts. Null where nobody has it. */
  addContact(phone: string): Promise<Person | null>;
  /** Gives the message's number. The same `key` once more is not a second message. Throws `Refused`. */
  send(person: Person, message: Outgoing, signal: AbortSignal): Promise<number | null>;
  /** Tells what happens, and what happened since `place`; from now on where it is null. */
  listen(place: string | null, ears: Ears): Promise<void>;
  close(): Promise<void>;
};

export type Person = { id: string; name: string; username: string | null; phone: string | null };

export type Outgoing = {
  key: bigint;
  text: string;
  file: { kind: 'image' | 'document'; name: string; type: string; bytes: Buffer } | null;
};

/** `place` is where listening goes on once this is stored. */
export type Ears = {
  message(heard: Heard, place: string): void;
  read(personId: string, upTo: number, place: string): void;
  lost(error: Error): void;
};

/** A message of somebody in a private chat. */
export type Heard = { id: number; from: Person; text: string; file: HeardFile | null };
export type HeardFile = { kind: 'image' | 'document'; name: string | null; bytes(): Promise<Buffer> };

/** Telegram's answer to a call that it did not do. */
export class Refused extends Error {
  readonly code: number;
  /** Such as PEER_FLOOD; FLOOD_WAIT without its seconds. */
  readonly text: string;
  readonly seconds: number | null;
  constructor(code: number, text: string, seconds: number | null = null) {
    super(text);
    this.code = code;
    this.text = text;
    this.seconds = seconds;
  }
}

/** Connects as who is logged in, or gives up at the signal. Throws `Refused`. */
export type OpenAccount = (
  settings: Settings & { session: string },
  client: Client,
  signal: AbortSignal,
) => Promise<Account>;
