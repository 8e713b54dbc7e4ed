import type { Static, TObject, TProperties } from 'typebox';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { SendError } from './errors.ts';
import type { Platform } from './platforms.ts';

/** What a message can be on its way through a channel. An adapter lists those that it carries. */
export type CarriedType = 'text' | 'image' | 'document' | 'whatsapp_template';

export type Button = { text: string; payload?: string; url?: string };

export type OutgoingMessage = {
  /** Ours. Passed to the provider wherever it takes an idempotency key. */
  uuid: string;
  type: CarriedType;
  text: string | null;
  /** Address of the image or document. */
  url: string | null;
  buttons: Button[];
  chat: { uuid: string; externalId: string };
};

export type SendResult = { sent: true; providerId: string | null } | { sent: false; error: SendError };

export type SendAttempt = {
  now: Date;
  /**
   * Soon after it the message is somebody else's to send. So `http` ends its calls by then, whatever they ask for, and
   * an adapter that has no answer by then is not waited for.
   */
  deadline: AbortSignal;
};

/** A client as the provider names them. */
export type Correspondent = {
  externalId: string;
  name?: string;
  phone?: string;
  username?: string;
};

export type Receipt = 'delivered' | 'read' | 'undelivered';

/** What a channel tells us. Data only: `src/messaging/inbound` makes it true. */
export type InboundEvent =
  | {
      kind: 'message';
      chat: Correspondent;
      message: {
        /** The provider's id: the same one twice is one message. */
        externalId: string;
        type: 'text' | 'image' | 'document' | 'button';
        text: string | null;
        url: string | null;
        /** What a pressed button carries. */
        payload: string | null;
      };
    }
  /** The message is named by our uuid or by the provider's id. */
  | { kind: 'receipt'; message: { uuid: string } | { providerId: string }; state: Receipt; detail: string }
  /** The client blocked us or asked us to stop. */
  | { kind: 'stopped'; chat: { externalId: string } };

export type InboundRequest = {
  /** The part of the path behind the channel's address, for example `messages`; empty for the address itself. */
  path: string;
  headers: Record<string, string | string[] | undefined>;
  /** The bytes as they came: signatures are over these. */
  body: Buffer;
  /** The body as JSON of this shape, by the rules of our own API. Throws `Invalid`, which the caller reads as a 400. */
  json<S extends TObject>(schema: S): Static<S>;
};

/** Where an event ended up; null where it changed nothing that we know of. */
export type Stored = { chatUuid: string; profileUuid: string; messageUuid: string } | null;

/** An adapter's verdict on a provider's request. `answer` makes what the provider gets once the events are stored. */
export type Received =
  | { accepted: true; events: InboundEvent[]; answer?: (stored: readonly Stored[]) => object }
  /** 403: the authenticity check failed. 400: the body is not what this provider sends. 404: no such path. */
  | { accepted: false; status: 400 | 403 | 404 };

/** The settings as they stand, secrets opened. Parsed against the adapter's own schema. */
export type ChannelSettings = Record<string, unknown>;

/** `cursor` says where the next poll begins; the same as before where there was nothing new. */
export type Polled = { events: InboundEvent[]; cursor: string | null };

/**
 * A messenger. Data in, data out: an adapter knows neither the database nor the HTTP server, and reaches the
 * provider only through the client that it is given.
 */
export type Adapter<Settings = ChannelSettings> = {
  platform: Platform;
  /** Settings' schema; a property with `secret: true` is encrypted at rest. */
  settings: TObject<TProperties>;
  carries: readonly CarriedType[];
  limits: {
    /** Characters of a text, and of one that goes with a picture or a file. */
    text: number;
    caption: number;
    /** Buttons under a text, and the bytes that one of them carries. */
    buttons: number;
    payloadBytes: number;
    /** Documented messages a second for the whole channel; null where the provider names none. */
    perSecond: number | null;
    /** Calls under way at once in one process. */
    concurrency: number;
  };
  /** Which connector and push keys can open a chat with someone who has not written: how to address them. */
  opensBy: readonly ('phone' | 'username')[];
  send(
    message: OutgoingMessage,
    settings: Settings,
    http: Outbound,
    attempt: SendAttempt,
  ): Promise<SendResult>;
  receive?(request: InboundRequest, settings: Settings): Received;
  /** One long poll; the next begins at its cursor once the events are stored. Throws when there was no answer, and is then asked again later. */
  poll?(cursor: string | null, settings: Settings, http: Outbound, signal: AbortSignal): Promise<Polled>;
  /** Whether this channel is polled rather than called. */
  polls?(settings: Settings): boolean;
  /** Registers our address with the provider. Throws text for people. */
  setup?(settings: Settings, webhookUrl: string, http: Outbound): Promise<void>;
};
