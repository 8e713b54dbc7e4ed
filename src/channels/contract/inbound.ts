import type { Static, TObject } from 'typebox';
import type { Receipt } from './capabilities.ts';

/** A client as the provider names them. */
export type Correspondent = {
  externalId: string;
  name?: string;
  phone?: string;
  username?: string;
};

/**
 * A file that a client sent, which becomes a file of ours: its address needs no credentials and does not lapse. `url` is
 * open to everybody, a `reference` is for `locateFile`, and `bytes` are the file itself.
 */
export type InboundFile = ({ url: string } | { reference: string } | { bytes: Buffer }) & { name?: string };

export type InboundMessage = {
  /** The provider's id: the same one twice is one message. */
  externalId: string;
  type: 'text' | 'image' | 'document' | 'button';
  text: string | null;
  /** An address that is the client's own, and given on as it is. */
  url: string | null;
  /** What a pressed button carries. */
  payload: string | null;
  /** The subject of a mail. Its answer repeats it. */
  subject?: string;
  file?: InboundFile;
};

/** The messages that a receipt is about. `chat` is the client's address. */
export type ReceiptSubject =
  | { uuid: string }
  /** Kept for a while where it is not known yet: such a receipt may come before the answer of its send. */
  | { providerId: string }
  /** All of the chat up to this number, which is the id that the provider gave a message. */
  | { chat: string; upTo: string }
  /** All that were sent to the chat until then. */
  | { chat: string; until: Date };

/** What a channel tells us. Data only: `src/messaging/inbound` makes it true. */
export type InboundEvent =
  | { kind: 'message'; chat: Correspondent; message: InboundMessage }
  | { kind: 'receipt'; message: ReceiptSubject; state: Receipt; detail: string }
  /** The client blocked us or asked us to stop. */
  | { kind: 'stopped'; chat: { externalId: string } }
  /** The account's templates are others now: `listTemplates` is asked. */
  | { kind: 'templates_changed' };

export type InboundRequest = {
  headers: Record<string, string | string[] | undefined>;
  query: URLSearchParams;
  /** The bytes as they came: signatures are over these. */
  body: Buffer;
  /** The body as JSON of this shape, by the rules of our own API. Throws `Invalid`, which the caller reads as a 400. */
  json<S extends TObject>(schema: S): Static<S>;
};

/** Where an event ended up; null where it changed nothing that we know of. */
export type Stored = { chatUuid: string; profileUuid: string; messageUuid: string } | null;

/** What a provider gets, to the letter: a text is `text/plain`, an object is JSON. */
export type Answer = { status?: number; body: string | object };

/** What an adapter makes of a provider's request. The answer is given once the events are stored; `{}` where there is none. */
export type Verdict =
  | { accepted: true; events: InboundEvent[]; answer?: (stored: readonly Stored[]) => Answer }
  /** 403: the authenticity check failed. 400: the body is not what this provider sends. 404: no such path. */
  | { accepted: false; status: 400 | 403 | 404 };
