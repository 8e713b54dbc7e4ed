import type { Patchbay } from '../harness.ts';

/** A request that must succeed to prepare a test. */
export async function ask(
  patchbay: Patchbay,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Record<string, unknown>> {
  const answer = await patchbay.call(method, path, { headers, body });
  if (answer.status >= 300)
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
