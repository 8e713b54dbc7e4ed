/**
 * Any page may call the paths that take a key or OAuth. The credentials come in headers that the page itself must
 * know, never in cookies. Source: docs/contract.md, section 1.
 */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-request-id, retry-after, idempotent-replay, www-authenticate',
} as const;

export const preflightHeaders = (methods: string) => ({
  'access-control-allow-methods': methods,
  'access-control-allow-headers':
    'authorization, bot-key, content-type, accept, idempotency-key, x-requested-with',
  'access-control-max-age': '7200',
});
