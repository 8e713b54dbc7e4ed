import type { Static, TObject } from 'typebox';
import type { Receipt } from './capabilities.ts';

/** A client's data from the provider. */
export type Correspondent = {
  externalId: string;
  /** The provider's lasting id of the client, where `externalId` can change. A chat with this id gets the address. */
  lastingId?: string;
  name?: string;
  phone?: string;
  username?: string;
};

export type Names = Pick<Correspondent, 'name' | 'username'>;

/**
 * A file from a client, which becomes our own file: its address needs no credentials and does not expire. `url` is
 * public, `reference` is for `locateFile`, and `bytes` are the file itself.
 */
export type InboundFile = ({ url: string } | { reference: string } | { bytes: Buffer }) & { name?: string };

export type InboundMessage = {
  /** The provider's id: a repeated id is the same message. */
  externalId: string;
  type: 'text' | 'image' | 'document' | 'button';
  text: string | null;
  /** What a scenario hears, where `text` also quotes an earlier mail. */
  own?: string;
  /** The client's own words, where `text` has more: a subject, an earlier mail. They may leave mailings, or come back. */
  words?: string;
  /** An address that the client sent, passed on unchanged. */
  url: string | null;
  /** The payload of a pressed button. */
  payload: string | null;
  /** The provider's id of our message that has the pressed button, where the provider names it. */
  pressedIn?: string;
  /** The parameter of the link or advertisement by which the client came. It can start a scenario. */
  ref?: string;
  /** The subject of a mail. Its answer repeats it. */
  subject?: string;
  file?: InboundFile;
};

/** The messages of a receipt. `chat` is the client's address. */
export type ReceiptSubject =
  | { uuid: string }
  /** A receipt with an unknown id is kept for a while, because it may arrive before the response to its send. */
  | { providerId: string }
  /** All messages of the chat up to this number, which is an id from the provider. Kept for a while too. */
  | { chat: string; upTo: string }
  /** All messages that were sent to the chat until then. */
  | { chat: string; until: Date };

/** Names a pressed button to its provider. */
export type Press = { readonly [name: string]: string };

/** An event from a channel. Data only: `src/messaging/inbound` applies it. */
export type InboundEvent =
  | { kind: 'message'; chat: Correspondent; message: InboundMessage }
  | { kind: 'receipt'; message: ReceiptSubject; state: Receipt; detail: string }
  /** A client pressed a button, which is busy until `answerPress` has answered. `press` is the provider's data. */
  | { kind: 'pressed'; press: Press }
  /** The client has another address from now on, or another lasting id. */
  | { kind: 'moved'; from: string; to: string }
  /** The client blocked us or asked us to stop. */
  | { kind: 'stopped'; chat: { externalId: string } }
  /** The client allows messages again, without a message of their own. */
  | { kind: 'returned'; chat: { externalId: string } }
  /** The account's templates have changed: `listTemplates` is called. */
  | { kind: 'templates_changed' };

export type InboundRequest = {
  headers: Record<string, string | string[] | undefined>;
  query: URLSearchParams;
  /** The original bytes, which signatures cover. */
  body: Buffer;
  /** The body as JSON of this shape, by the rules of our own API. Throws `Invalid`, which becomes a 400. */
  json<S extends TObject>(schema: S): Static<S>;
};

/** The ids of a stored event. Null if it changed nothing. */
export type Stored = { chatUuid: string; profileUuid: string; messageUuid: string } | null;

/** The exact response to a provider: a text is `text/plain`, an object is JSON. */
export type Answer = { status?: number; body: string | object };

/**
 * The adapter's verdict on a provider's request. The response follows the storage of the events. It is `{}` by
 * default.
 */
export type Verdict =
  | { accepted: true; events: InboundEvent[]; answer?: (stored: readonly Stored[]) => Answer }
  /** 403: the authenticity check failed. 400: this provider sends no such body. 404: no such path. */
  | { accepted: false; status: 400 | 403 | 404 };
