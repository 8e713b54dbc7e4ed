import assert from 'node:assert/strict';
import { checkAnswer } from '../openapi/check-answer.ts';

/** An answer as an attacker reads it: every byte. */
export type Answer = { status: number; headers: Record<string, string>; text: string };

export type Request = {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** As JSON. */
  body?: unknown;
};

/** Sends the request and reads its answer. Reads only the head of an endless stream. */
export async function send(address: string, { method, path, headers, body }: Request): Promise<Answer> {
  const leaving = new AbortController();
  const response = await fetch(address + path, {
    method,
    redirect: 'manual',
    signal: leaving.signal,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const endless = response.headers.get('content-type')?.startsWith('text/event-stream');
  const text = endless ? '' : await response.text();
  leaving.abort();
  await checkAnswer(method, path, { status: response.status, headers: response.headers, text });
  return { status: response.status, headers: Object.fromEntries(response.headers), text };
}

/** Words that reveal the program's internals, or its database's messages. */
const internalWords =
  /postgres|pglite|\bsql\b|relation "|column "|violates|syntax (?:error )?at or near|node_modules|node:internal|\.ts:\d|\/src\/|\bat [\w.<>]+ ?\(|\n\s+at |fastify|FST_ERR|undici|typebox|ECONN|TypeError|ReferenceError|RangeError/i;

/**
 * Fails for a 5xx and for revealed internals. Also fails for an answer that is neither our JSON nor our page or file.
 */
export function assertHarmless(answer: Answer): void {
  const { status, headers, text } = answer;
  const told = JSON.stringify(answer).slice(0, 2_000);
  assert.ok(status >= 200 && status < 500, told);
  const type = headers['content-type'] ?? '';
  if (type.startsWith('text/html') || isFileOfOurs(status, type)) return;
  assert.doesNotMatch(text, internalWords, told);
  if (text === '' || status === 204) return;
  assert.match(type, /^application\/json/, told);
  const body: unknown = JSON.parse(text);
  assert.ok(typeof body === 'object' && body !== null, told);
  if (status >= 400) assertRefusal(body, told);
}

const isFileOfOurs = (status: number, type: string): boolean =>
  (status === 200 || status === 304) && /^text\/(javascript|css|csv|plain|markdown|event-stream)/.test(type);

/** `{"detail": …}`, OAuth's `{"error": …, "detail": …}`, or lists of messages, nested as the input is. */
function assertRefusal(body: object, told: string): void {
  if ('detail' in body && typeof body.detail === 'string') return;
  for (const said of Object.values(body)) {
    if (Array.isArray(said))
      assert.ok(said.length > 0 && said.every((text) => typeof text === 'string'), told);
    else assertRefusal(said, told);
  }
}
