import type { Operations, Pages, Tokens, WebhookEvent } from './api.js';

export * from './api.js';

export type CallOptions = {
  /**
   * For operations that create an object. A repeated key with the same body returns the first response for 24 hours
   * and creates nothing new.
   */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

export type ClientOptions = {
  /** The URL of Patchbay, for example `https://patchbay.example.com`. */
  baseUrl: string;
  /** An access token. */
  token?: string;
  /** A project's bot key. */
  botKey?: string;
  /** Returns the access token for each call, if it changes. */
  getToken?: () => string | Promise<string>;
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch;
};

export type Client = Operations & {
  /** The items of all pages of a list. Each page is fetched when it is needed. */
  pages<Name extends keyof Pages>(
    name: Name,
    input?: Parameters<Operations[Name]>[0],
    options?: CallOptions,
  ): AsyncGenerator<Pages[Name], void, undefined>;
};

/** A method for each operation of the API. The client never retries by itself. */
export function createClient(options: ClientOptions): Client;

/** A refusal of the API. */
export class PatchbayError extends Error {
  constructor(answer: { status: number; body: unknown; requestId: string | null; retryAfter: number | null });
  readonly status: number;
  /** `{"detail": "…"}`, or lists of messages by field; text if the response was not JSON. */
  readonly body: unknown;
  /** Identifies the request in the service's log. */
  readonly requestId: string | null;
  /** Seconds to wait before a retry, if the response says so. */
  readonly retryAfter: number | null;
}

export type Application = Pick<ClientOptions, 'baseUrl' | 'fetch'> & {
  clientId: string;
  clientSecret: string;
};

/** Exchanges the code of the grant page for tokens. */
export function exchangeCode(
  application: Application,
  grant: { code: string; redirectUri?: string; codeVerifier?: string },
): Promise<Tokens>;

/** Exchanges a refresh token for the next tokens. The refresh token cannot be used again. */
export function refreshTokens(application: Application, refreshToken: string): Promise<Tokens>;

/**
 * The event of a webhook, after its signature is verified as Standard Webhooks defines. Throws for a wrong
 * signature, and for a timestamp that differs by more than five minutes.
 */
export function verifyWebhook(received: {
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The body, byte for byte. */
  body: string;
  /** `whsec_…` */
  secret: string;
  now?: Date;
}): Promise<WebhookEvent>;
