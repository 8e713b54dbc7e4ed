import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { send } from './answers.ts';
import { renewed } from './places.ts';
import { requestOf } from './probe.ts';
import { probesOf } from './probes.ts';
import { changesNothing, rowsOf } from './rows.ts';
import { startScene } from './scene.ts';

const scene = await startScene({ after }, { config: { roles: ['api'] } });
const { patchbay, clock, alpha, bravo } = scene;
const { sql } = patchbay.context;
const probes = probesOf(alpha, scene.widgetVersion, scene.webhookUrl);

const camel = (name: string): string =>
  name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());

/** Every id of the other project, under the names that the program gives it. */
async function foreignIds(): Promise<Record<string, unknown>> {
  const rows = await rowsOf(sql, bravo.projectId);
  const columns = rows.flatMap(({ json }) => Object.entries(json)).filter(([name]) => /(^|_)id$/.test(name));
  const ids = columns.flatMap(([name, value]) => [
    [name, value],
    [camel(name), value],
  ]);
  return { ...Object.fromEntries(ids), project_id: bravo.projectId, projectId: bravo.projectId };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

test('names of another project in fields that nobody asked for have no effect', async () => {
  const ids = await foreignIds();
  assert.ok(Object.keys(ids).length > 40);
  let accepted = 0;
  const broken: string[] = [];
  await changesNothing(sql, [bravo], async () => {
    for (const probe of probes) {
      const call = renewed(probe);
      clock.advance(500);
      const query = {
        ...Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, String(id)])),
        ...call.query,
      };
      const body = isRecord(call.body) ? { ...ids, ...call.body } : call.body;
      const { status } = await send(patchbay.address, requestOf({ ...call, query, body }));
      if (status >= 500) broken.push(`${probe.route}: ${status}`);
      if (status < 300) accepted += 1;
    }
  });
  assert.deepEqual(broken, []);
  assert.ok(accepted > probes.length / 3, `${accepted} calls`);
});
