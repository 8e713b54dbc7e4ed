import { PatchbayError } from './error.js';
import { operations } from './operations.js';

/** @typedef {{ params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }} Input */
/** @typedef {import('./index.js').CallOptions} CallOptions */

/** @type {typeof import('./index.js').createClient} */
export function createClient({
  baseUrl,
  token,
  botKey,
  getToken,
  fetch = globalThis.fetch.bind(globalThis),
}) {
  /** @param {CallOptions & { hasBody: boolean }} call */
  const headersOf = async ({ idempotencyKey, hasBody }) => {
    const bearer = getToken ? await getToken() : token;
    return {
      accept: 'application/json',
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      ...(botKey !== undefined && { 'bot-key': botKey }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
  };

  /**
   * @param {readonly [string, string]} operation
   * @param {Input} [input]
   * @param {CallOptions} [options]
   */
  const call = async (
    [method, path],
    { params = {}, query = {}, body } = {},
    { idempotencyKey, signal } = {},
  ) => {
    const response = await fetch(baseUrl.replace(/\/+$/, '') + filled(path, params) + searchOf(query), {
      method,
      signal,
      headers: await headersOf({ idempotencyKey, hasBody: body !== undefined }),
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return readAnswer(response);
  };

  const methods = Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      /** @type {(input?: Input, options?: CallOptions) => Promise<any>} */
      (input, options) => call(operation, input, options),
    ]),
  );

  /**
   * @param {string} name
   * @param {Input} [input]
   * @param {CallOptions} [options]
   */
  async function* pages(name, input = {}, options) {
    let query = input.query;
    for (;;) {
      const page = await methods[name]?.({ ...input, query }, options);
      yield* page.results;
      if (page.next === null) return;
      query = Object.fromEntries(new URL(page.next).searchParams);
    }
  }

  return /** @type {import('./index.js').Client} */ (/** @type {unknown} */ ({ ...methods, pages }));
}

/**
 * @param {string} path
 * @param {Record<string, string>} params
 */
const filled = (path, params) =>
  path.replace(/\{(\w+)\}/g, (_place, name) => encodeURIComponent(params[name] ?? ''));

/** @param {Record<string, unknown>} query */
function searchOf(query) {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

/** @param {Response} response */
async function readAnswer(response) {
  const text = await response.text();
  const body = parsed(text);
  if (response.ok) return body;
  const retryAfter = response.headers.get('retry-after');
  throw new PatchbayError({
    status: response.status,
    body,
    requestId: response.headers.get('x-request-id'),
    retryAfter: retryAfter === null ? null : Number(retryAfter),
  });
}

/** @param {string} text */
function parsed(text) {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
