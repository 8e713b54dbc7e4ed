import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { send } from './answers.ts';
import {
  assertNobodys,
  furnishWith,
  isKept,
  lookalikeNames,
  markEverything,
  marksIn,
  ownWords,
  searchesOf,
  spelledCalls,
} from './letters.ts';
import { probesOf } from './probes.ts';
import { rowsOf } from './rows.ts';
import { startScene } from './scene.ts';

const scene = await startScene({ after });
const { patchbay, alpha } = scene;

for (const [index, name] of lookalikeNames.entries()) {
  test(`a spelling of a name of ${name}, with a letter that folds into another, names nothing`, async () => {
    const own = await furnishWith(scene, name, 3 + index);
    const words = await ownWords(scene, own);
    const probes = probesOf(own, scene.widgetVersion, scene.webhookUrl);
    const calls = Array.from(spelledCalls([...searchesOf(own), ...probes]));
    assert.ok(calls.length > 1_000);
    for (const call of calls) await assertNobodys(scene, call, words);
  });
}

test('letters that fold are stored unchanged in every field', async () => {
  const own = await furnishWith(scene, 'plain', 5);
  const taken = await markEverything(
    scene,
    probesOf(own, scene.widgetVersion, scene.webhookUrl),
    await ownWords(scene, own),
  );
  assert.ok(taken.length > 250);
  const marks = (await rowsOf(patchbay.context.sql, own.projectId))
    // Keywords, and the words by which a client leaves a topic, ignore case.
    .filter(({ table }) => table !== 'scenario_starters' && table !== 'topics')
    .flatMap(({ table, text }) => marksIn(text).map((mark) => ({ table, mark })));
  assert.ok(new Set(marks.map(({ mark }) => mark)).size > 120);
  assert.deepEqual(
    marks.filter(({ mark }) => !isKept(mark)),
    [],
  );
});

test('an idempotency key never matches a similar one', async () => {
  const uuids = new Set<unknown>();
  const keys = ['kiss', 'KISS', 'Kiss', 'ki\u00df', 'k\u00efss'];
  for (const key of keys) {
    const headers = { 'bot-key': alpha.botKey, 'idempotency-key': key };
    const body = { chat: { uuid: alpha.chatId }, content: { type: 'TEXT', text: key } };
    const request = { method: 'POST', path: '/api/partners/push-messages/', headers, body };
    const { status, text } = await send(patchbay.address, request);
    assert.equal(status, 201, key);
    uuids.add(JSON.parse(text).uuid);
  }
  assert.equal(uuids.size, keys.length);
});
