import type { TObject, TProperties } from 'typebox';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { Capabilities, CarriedType } from './capabilities.ts';
import type { SendError } from './errors.ts';
import type { Guide, Words } from './guide.ts';
import type { InboundEvent, InboundRequest, Names, Press, Verdict } from './inbound.ts';

export type Button = { text: string; payload?: string; url?: string };

/** A template as its provider knows it, with this recipient's values: those of its body, in order, and the further ones. */
export type FilledTemplate = {
  name: string;
  language: string;
  variables: readonly { name: string; value: string }[];
};

export type OutgoingMessage = {
  /** Our uuid. It is passed to providers that accept an idempotency key. */
  uuid: string;
  type: CarriedType;
  text: string | null;
  /** Address of the image or document. */
  url: string | null;
  buttons: Button[];
  /** For the type `template`. The text for the client is in `text`. */
  template?: FilledTemplate;
  /** `lastingIds`: the ids by which the provider always knows the client. Only adapters with `lastingIds` receive them. */
  chat: { uuid: string; externalId: string; lastingIds?: readonly string[] };
  /** The client's latest message. Only adapters with `answers` receive it. */
  answers?: Answered;
  /** An operator wrote it, here or in the system behind the connector. */
  byPerson?: true;
  /** Makes our https address for one-click unsubscription. Few platforms have a place for it. */
  unsubscribeUrl?(): string;
};

/** The client's message that an outgoing message answers. */
export type Answered = { externalId: string; subject: string | null; at: Date };

/** The provider's id of the sent message. An id that receipts count up to is a decimal number. */
export type SendResult = { sent: true; providerId: string | null } | { sent: false; error: SendError };

export type SendAttempt = {
  now: Date;
  /**
   * Soon after it another worker may send the message. The client therefore ends its calls by then, whatever their
   * own timeout. An adapter without a result by then is not waited for.
   */
  deadline: AbortSignal;
};

/** The only connection to a provider. */
export type Client = Outbound & {
  /**
   * The access token for an adapter with `token`. It is fetched once for all processes, and renewed before it
   * expires.
   * @param refused the token that the provider has just refused: another one is fetched
   */
  token(refused?: string): Promise<string>;
};

/** The current settings, with secrets decrypted. Parsed against the adapter's own schema. */
export type ChannelSettings = Record<string, unknown>;

/** `cursor` is the start of the next poll. Unchanged if there was nothing new. */
export type Polled = { events: InboundEvent[]; cursor: string | null };

/** One address of a channel that its provider calls. */
export type Route<Settings> = {
  method: 'GET' | 'POST';
  /** Appended to the channel's address, for example `messages`. Empty for the address itself. */
  path: string;
  /** Authenticates the caller first. Throws `Invalid` only through `request.json`. */
  receive(request: InboundRequest, settings: Settings): Verdict;
};

export type AccessToken = { value: string; livesMs: number };

/** Sends through an open connection. */
export type Sender = (message: OutgoingMessage, attempt: SendAttempt) => Promise<SendResult>;

/** The tools of an open connection. */
export type Link = {
  client: Client;
  /** Aborts when another process takes the channel over, its settings change, or the program ends. */
  signal: AbortSignal;
  /** The last cursor given to `store`. Null at first. */
  cursor: string | null;
  /** Resolves when the events, and then the cursor, are stored. A repeated event is stored once. */
  store(events: InboundEvent[], cursor?: string): Promise<void>;
  /** Stores settings that the connection needs to reconnect. */
  keep(learnt: ChannelSettings): Promise<void>;
  /** The connection is open. An adapter without `send` sends through this sender until `connect` ends. */
  ready(send?: Sender): void;
};

/** Asks the user of the command line. A `secret` answer is not echoed. */
export type AskPerson = (question: string, answer: 'open' | 'secret') => Promise<string>;

/** A request that fetches the bytes of a client's file. */
export type FileRequest = { url: string; headers?: Record<string, string>; redact?: readonly string[] };

/** A chat with messages that await a receipt, which the provider does not send by itself. */
export type AwaitedChat = {
  externalId: string;
  messages: readonly { uuid: string; providerId: string | null; sentAt: Date }[];
};

/** The account of some credentials, as its provider describes it. */
export type Account = {
  /** For the person who enters the credentials: the name of a bot, or a phone number. */
  facts: readonly { label: Words; value: string }[];
  /** The address by which a client begins to write. */
  link?: string;
};

/** A cheap call that changes nothing at the provider. */
export type Check<Settings> = {
  /** The settings that it uses. */
  needs: readonly string[];
  /** Throws text for people. */
  ask(settings: Settings, client: Client): Promise<Account>;
};

/** A channel's state at its provider. */
export type Standing = {
  /** Whether the provider still calls our address. Null if it does not say. */
  isRegistered: boolean | null;
  /** The provider's words about failed calls to our address. */
  trouble?: string;
  /** The end of the credentials. */
  lapsesAt?: Date;
};

export type ProviderTemplate = {
  name: string;
  language: string;
  /** With variables written as `{{name}}`. */
  body: string;
  /**
   * The variables outside the body, by names of ours with a dot. A `media` one is the public address of a file. Absent
   * when there are none.
   */
  further?: readonly string[];
  approval: 'approved' | 'pending' | 'rejected';
  /** The provider's reason, if it was rejected. */
  reason?: string;
};

/** A template for the provider's approval. */
export type DraftTemplate = {
  name: string;
  language: string;
  category: 'marketing' | 'utility';
  /** With variables written as `{{name}}`. */
  body: string;
  /** One value for each variable, in their order. */
  examples: readonly { name: string; value: string }[];
  buttons: readonly { text: string; url?: string }[];
};

/**
 * A messenger. Data in, data out: an adapter knows neither the database nor the HTTP server. It reaches the provider
 * only through the given client.
 *
 * A property of `settings` may have these keywords. `secret`: encrypted at rest and never shown. `made`: 256 random
 * bits by default. `learnt`: never entered by a person, but set by `learn`, `setup` and `connect`.
 */
export type Adapter<Settings = ChannelSettings> = Capabilities & {
  settings: TObject<TProperties>;
  /** How a person adds such a channel. */
  guide: Guide;
  /** Whether `setup` gives the provider our address. Otherwise a person has to. */
  registersAddress: boolean;
  routes: readonly Route<Settings>[];
  /** The adapter needs to know which message is answered. */
  answers?: true;
  /** An address may pass to another person. The adapter checks who is there now. */
  lastingIds?: true;
  /** Absent if only an open connection can send. */
  send?(
    message: OutgoingMessage,
    settings: Settings,
    client: Client,
    attempt: SendAttempt,
  ): Promise<SendResult>;
  /** Asks the provider for data of the channel, which also checks its credentials. Throws text for people. */
  learn?(settings: Settings, client: Client): Promise<Partial<Settings>>;
  /** Checks credentials while a person enters them. Absent where a wrong try may lock the account. */
  check?: Check<Settings>;
  /** The address by which a client begins to write, where the settings alone give it. */
  linkOf?(settings: Settings): string;
  /**
   * Names the account, where two channels with one account would both take each message. Null if these settings take
   * none.
   */
  accountOf?(settings: Settings): string | null;
  /** Asked once a day. Throws `CredentialsRefused`, and any other error when there was no answer. */
  standing?(settings: Settings, address: string, client: Client, now: Date): Promise<Standing>;
  /** Registers the channel with its provider, which may call the address at once. Throws text for people. */
  setup?(settings: Settings, address: string, client: Client): Promise<Partial<Settings>>;
  /** Logs in to the account, for `patchbay channel login`. Throws text for people. */
  logIn?(settings: Settings, client: Client, ask: AskPerson): Promise<Partial<Settings>>;
  /** Fetches an access token. `known` is the last one, which some providers renew. Throws `CredentialsRefused`. */
  token?(settings: Settings, http: Outbound, known?: string): Promise<AccessToken>;
  /**
   * One long poll. The next one begins at its cursor once the events are stored. Throws when there was no answer, and
   * is then called again later.
   */
  poll?(cursor: string | null, settings: Settings, client: Client, signal: AbortSignal): Promise<Polled>;
  /** Whether this channel is polled instead of called. */
  polls?(settings: Settings): boolean;
  /** Holds a connection until the signal. Throws when the connection is lost. One process does it for each channel. */
  connect?(settings: Settings, link: Link): Promise<void>;
  /** Asks for the names of a client, which their messages do not tell. Empty if the provider tells none. */
  namesOf?(externalId: string, settings: Settings, client: Client): Promise<Names>;
  /** Ends the busy state of a pressed button, and shows the client nothing new. Throws when it was refused. */
  answerPress?(press: Press, settings: Settings, client: Client): Promise<void>;
  /** Asks for receipts that the provider does not send by itself. */
  pollReceipts?(awaited: readonly AwaitedChat[], settings: Settings, client: Client): Promise<InboundEvent[]>;
  /** Every template of the channel's account. */
  listTemplates?(settings: Settings, client: Client): Promise<ProviderTemplate[]>;
  /** Submits a template for approval. Throws text for people. */
  submitTemplate?(draft: DraftTemplate, settings: Settings, client: Client): Promise<void>;
  /** The location of the bytes of a `reference` in an inbound file. Throws when it is unknown. */
  locateFile?(reference: string, settings: Settings, client: Client): Promise<FileRequest>;
};
