import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { createServer } from '../../src/platform/http/server.ts';
import { addRoutes } from '../../src/routes.ts';
import { assertHarmless, send } from './answers.ts';
import { withLeaf } from './leaves.ts';
import { renewed } from './places.ts';
import { type Probe, requestOf } from './probe.ts';
import { probesOf } from './probes.ts';
import { startScene } from './scene.ts';

const scene = await startScene({ after }, { config: { roles: ['api'] } });
const { patchbay, clock, alpha } = scene;
const probes = probesOf(alpha, scene.widgetVersion, scene.webhookUrl);

const server = createServer({ log: patchbay.context.log, publicUrl: patchbay.context.config.publicUrl });
const routes = addRoutes(server, patchbay.context);
after(() => server.close());

type Schema = { pattern?: string; properties?: Record<string, Schema>; items?: Schema; anyOf?: Schema[] };

/** The fields that have a pattern. */
function patternsIn(
  schema: TSchema | Schema | undefined,
  path: readonly string[] = [],
): { path: readonly string[]; pattern: string }[] {
  const { pattern, properties = {}, items, anyOf = [] }: Schema = schema ?? {};
  if (pattern !== undefined) return [{ path, pattern }];
  return [
    ...Object.entries(properties).flatMap(([name, inside]) => patternsIn(inside, [...path, name])),
    ...(items ? patternsIn(items, [...path, '0']) : []),
    ...anyOf.flatMap((one) => patternsIn(one, path)),
  ];
}

const perPattern = 25;

/** The call with texts that its own patterns admit, one field at a time. */
function* admittedBy(probe: Probe): Generator<Probe> {
  const known = routes.find(({ method, path }) => `${method} ${path}` === probe.route);
  const { params, query, body } = known?.spec ?? {};
  const textsOf = (pattern: string) => fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), perPattern);
  for (const { path, pattern } of patternsIn(params)) {
    for (const text of textsOf(pattern))
      yield { ...probe, params: { ...probe.params, [path.join('.')]: text } };
  }
  for (const { path, pattern } of patternsIn(query)) {
    for (const text of textsOf(pattern))
      yield { ...probe, query: { ...probe.query, [path.join('.')]: text } };
  }
  for (const { path, pattern } of patternsIn(body)) {
    for (const text of textsOf(pattern)) {
      const call = renewed(probe);
      yield { ...call, body: withLeaf(call.body, path, text) };
    }
  }
}

test('every text that the pattern of a field admits is refused or accepted, and nothing breaks', async () => {
  let calls = 0;
  const broken: string[] = [];
  for (const probe of probes) {
    for (const call of admittedBy(probe)) {
      calls += 1;
      clock.advance(500);
      const request = requestOf(call);
      const answer = await send(patchbay.address, request);
      if (answer.status < 500) assertHarmless(answer);
      else broken.push(`${probe.route}: ${request.path} ${JSON.stringify(request.body ?? '')}`.slice(0, 300));
    }
  }
  assert.deepEqual(broken, []);
  assert.ok(calls > 1_000, `${calls} calls`);
});
