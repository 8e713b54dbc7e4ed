import type { TObject, TProperties } from 'typebox';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { Capabilities, CarriedType } from './capabilities.ts';
import type { SendError } from './errors.ts';
import type { InboundEvent, InboundRequest, Verdict } from './inbound.ts';

export type Button = { text: string; payload?: string; url?: string };

/** A template as its provider knows it, with this recipient's values in the order of the variables. */
export type FilledTemplate = {
  name: string;
  language: string;
  variables: readonly { name: string; value: string }[];
};

export type OutgoingMessage = {
  /** Ours. Passed to the provider wherever it takes an idempotency key. */
  uuid: string;
  type: CarriedType;
  text: string | null;
  /** Address of the image or document. */
  url: string | null;
  buttons: Button[];
  /** Of the type `template`; what the client reads is in `text`. */
  template?: FilledTemplate;
  chat: { uuid: string; externalId: string };
  /** The client's latest message. Only adapters with `answers` receive it. */
  answers?: Answered;
  /** Our https address for one-click unsubscription. */
  unsubscribeUrl?: string;
};

/** The client's message that an outgoing message answers. */
export type Answered = { externalId: string; subject: string | null };

/** The provider's id of what was sent. One that receipts count up to is a decimal number. */
export type SendResult = { sent: true; providerId: string | null } | { sent: false; error: SendError };

export type SendAttempt = {
  now: Date;
  /**
   * Soon after it the message is somebody else's to send. So the client ends its calls by then, whatever they ask for, and
   * an adapter that has no answer by then is not waited for.
   */
  deadline: AbortSignal;
};

/** The only way to a provider. */
export type Client = Outbound & {
  /**
   * The access token of an adapter that has `token`, fetched once for all processes and renewed before its end.
   * @param refused the token that the provider has just refused: another one is fetched
   */
  token(refused?: string): Promise<string>;
};

/** The settings as they stand, secrets opened. Parsed against the adapter's own schema. */
export type ChannelSettings = Record<string, unknown>;

/** `cursor` says where the next poll begins; the same as before where there was nothing new. */
export type Polled = { events: InboundEvent[]; cursor: string | null };

/** One address of a channel that its provider calls. */
export type Route<Settings> = {
  method: 'GET' | 'POST';
  /** Behind the channel's address, for example `messages`; empty for the address itself. */
  path: string;
  /** Checks first who calls. Throws `Invalid` only through `request.json`. */
  receive(request: InboundRequest, settings: Settings): Verdict;
};

export type AccessToken = { value: string; livesMs: number };

/** Sends through a connection that is held. */
export type Sender = (message: OutgoingMessage, attempt: SendAttempt) => Promise<SendResult>;

/** What a held connection may do here. */
export type Link = {
  client: Client;
  /** Aborts when another process takes the channel over, its settings change, or the program ends. */
  signal: AbortSignal;
  /** As it was last given to `store`; null at first. */
  cursor: string | null;
  /** Resolves when the events, and then the cursor, are stored. The same event twice is one. */
  store(events: InboundEvent[], cursor?: string): Promise<void>;
  /** Keeps what the connection needs to come back, among the settings. */
  keep(learnt: ChannelSettings): Promise<void>;
  /** The connection stands. An adapter without `send` sends by this until `connect` ends. */
  ready(send?: Sender): void;
};

/** Asks the user of the command line. A `secret` answer is not echoed. */
export type AskPerson = (question: string, answer: 'open' | 'secret') => Promise<string>;

/** A file of a client, by a request that fetches its bytes. */
export type FileRequest = { url: string; headers?: Record<string, string>; redact?: readonly string[] };

/** A chat in which messages wait for a receipt that the provider does not call us with. */
export type AwaitedChat = {
  externalId: string;
  messages: readonly { uuid: string; providerId: string | null; sentAt: Date }[];
};

export type ProviderTemplate = {
  name: string;
  language: string;
  /** With variables written as `{{name}}`. */
  body: string;
  approval: 'approved' | 'pending' | 'rejected';
};

/**
 * A messenger. Data in, data out: an adapter knows neither the database nor the HTTP server, and reaches the
 * provider only through the client that it is given.
 *
 * A property of `settings` may have these words: `secret` is encrypted at rest and never shown; `made` is made of 256
 * random bits where nobody gives it; `learnt` is given by nobody, but by `learn`, `setup` and `connect`.
 */
export type Adapter<Settings = ChannelSettings> = Capabilities & {
  settings: TObject<TProperties>;
  /** Whether `setup` tells the provider our address. A person has to where it does not. */
  registersAddress: boolean;
  routes: readonly Route<Settings>[];
  /** The provider needs to know which message is answered. */
  answers?: true;
  /** Absent where only a held connection can send. */
  send?(
    message: OutgoingMessage,
    settings: Settings,
    client: Client,
    attempt: SendAttempt,
  ): Promise<SendResult>;
  /** Asks the provider what it can tell of the channel, and so whether it takes its credentials. Throws text for people. */
  learn?(settings: Settings, client: Client): Promise<Partial<Settings>>;
  /** Registers the channel with its provider, which may call the address at once. Throws text for people. */
  setup?(settings: Settings, address: string, client: Client): Promise<Partial<Settings>>;
  /** Logs in to the account, for `patchbay channel login`. Throws text for people. */
  logIn?(settings: Settings, client: Client, ask: AskPerson): Promise<Partial<Settings>>;
  /** Fetches an access token. Throws `CredentialsRefused`. */
  token?(settings: Settings, http: Outbound): Promise<AccessToken>;
  /** One long poll; the next begins at its cursor once the events are stored. Throws when there was no answer, and is then asked again later. */
  poll?(cursor: string | null, settings: Settings, client: Client, signal: AbortSignal): Promise<Polled>;
  /** Whether this channel is polled rather than called. */
  polls?(settings: Settings): boolean;
  /** Holds a connection until it is lost, which it throws, or until the signal. One process does it for each channel. */
  connect?(settings: Settings, link: Link): Promise<void>;
  /** Asks for receipts that no event brings. */
  pollReceipts?(awaited: readonly AwaitedChat[], settings: Settings, client: Client): Promise<InboundEvent[]>;
  /** Every template of the channel's account. */
  listTemplates?(settings: Settings, client: Client): Promise<ProviderTemplate[]>;
  /** Where the bytes are that a `reference` of an inbound file means. Throws when that is not known. */
  locateFile?(reference: string, settings: Settings, client: Client): Promise<FileRequest>;
};
