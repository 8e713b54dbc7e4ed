import type { Operations, Pages, Tokens, WebhookEvent } from './api.js';

export * from './api.js';

export type CallOptions = {
  /** For what creates: the same key and body within 24 hours make nothing again, and are answered as the first time. */
  idempotencyKey?: string;
  signal?: AbortSignal;
};

export type ClientOptions = {
  /** Where Patchbay is, for example `https://patchbay.example.com`. */
  baseUrl: string;
  /** An access token. */
  token?: string;
  /** A project's bot key. */
  botKey?: string;
  /** Gives the access token of each call, where it changes. */
  getToken?: () => string | Promise<string>;
  /** Instead of the global one. */
  fetch?: typeof fetch;
};

export type Client = Operations & {
  /** The items of all pages of a list, each page fetched when it is come to. */
  pages<Name extends keyof Pages>(
    name: Name,
    input?: Parameters<Operations[Name]>[0],
    options?: CallOptions,
  ): AsyncGenerator<Pages[Name], void, undefined>;
};

/** A method for each operation of the API. Nothing is sent twice by itself. */
export function createClient(options: ClientOptions): Client;

/** What the API refused. */
export class PatchbayError extends Error {
  constructor(answer: { status: number; body: unknown; requestId: string | null; retryAfter: number | null });
  readonly status: number;
  /** `{"detail": "…"}`, or lists of messages by the names of fields; text where the answer was no JSON. */
  readonly body: unknown;
  /** To find the request by in the service's log. */
  readonly requestId: string | null;
  /** Seconds until another try is worth it, where the answer says so. */
  readonly retryAfter: number | null;
}

export type Application = Pick<ClientOptions, 'baseUrl' | 'fetch'> & {
  clientId: string;
  clientSecret: string;
};

/** Tokens for the code that came from the page where a user grants access. */
export function exchangeCode(
  application: Application,
  grant: { code: string; redirectUri?: string; codeVerifier?: string },
): Promise<Tokens>;

/** The next tokens for a refresh token, which is used up by this. */
export function refreshTokens(application: Application, refreshToken: string): Promise<Tokens>;

/**
 * The event of a webhook, once its signature is checked by the rules of Standard Webhooks.
 * Throws for a signature that is wrong, or older or newer than five minutes.
 */
export function verifyWebhook(received: {
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The body exactly as it came. */
  body: string;
  /** `whsec_…` */
  secret: string;
  now?: Date;
}): Promise<WebhookEvent>;
