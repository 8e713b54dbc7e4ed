import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { signIn } from '../../../../test/person.ts';
import { importScenario } from '../../../scenarios/import.ts';
import { playFiles } from '../../../scenarios/play-files.ts';
import { setStarters } from '../../../scenarios/starters.ts';
import { transcriptOf } from '../../../scenarios/transcript.ts';

const { address, call, context } = await startPatchbay({ after });
const partner = await createPartner({ after }, { call, context });
const { projectId } = partner;
const olga = await signIn(context, { projectId, name: 'Olga' });
const ivan = await signIn(context, { projectId, name: 'Ivan' });
const stranger = await signIn(context, {
  projectId: (await createPartner({ after }, { call, context })).projectId,
});

const root = '/console/api/scenarios/';
const sourceOf = (name: string, text: string) =>
  `{ "steps": [{ "type": "message", "id": "hi", "text": "${text}" }],\n  "name": "${name}" }`;

const asOlga = (method: string, path: string, body?: unknown) =>
  call(method, path, { headers: olga.headers, body });

async function created(name: string): Promise<string> {
  const { status, body } = await asOlga('POST', root, { source: sourceOf(name, 'first') });
  assert.equal(status, 201);
  return `${root}${body.id}/`;
}

test('a scenario is stored unchanged, and each save is a version with the name of the person', async () => {
  const path = await created('Kept');
  const saved = await call('PUT', path, {
    headers: ivan.headers,
    body: { source: sourceOf('Kept', 'second'), version: 1 },
  });
  assert.deepEqual([saved.status, saved.body.version], [200, 2]);

  const { body: now } = await asOlga('GET', path);
  assert.deepEqual([now.source, now.version, now.saved_by], [sourceOf('Kept', 'second'), 2, 'Ivan']);
  const { body: versions } = await asOlga('GET', `${path}versions/?limit=1`);
  assert.equal(versions.count, 2);
  assert.deepEqual(
    versions.results.map(({ version, saved_by }: { version: number; saved_by: string }) => [
      version,
      saved_by,
    ]),
    [[2, 'Ivan']],
  );
  const { body: first } = await asOlga('GET', `${path}versions/1/`);
  assert.deepEqual([first.source, first.saved_by], [sourceOf('Kept', 'first'), 'Olga']);
});

test('of two concurrent saves one wins, and the other gets the winner’s version and loses nothing', async () => {
  const path = await created('Shared');
  const answers = await Promise.all(
    [olga, ivan, olga, ivan].map(({ headers }, place) =>
      call('PUT', path, { headers, body: { source: sourceOf('Shared', `by ${place}`), version: 1 } }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
  const winner = answers.findIndex(({ status }) => status === 200);
  for (const { status, body } of answers) {
    if (status === 200) continue;
    assert.equal(body.current.version, 2);
    assert.equal(body.current.source, sourceOf('Shared', `by ${winner}`));
    assert.equal(body.current.saved_by, winner % 2 === 0 ? 'Olga' : 'Ivan');
    assert.equal(body.began_from.source, sourceOf('Shared', 'first'));
  }
  const { body: versions } = await asOlga('GET', `${path}versions/`);
  assert.equal(versions.count, 2);
});

const asIvan = (method: string, path: string, body?: unknown) =>
  call(method, path, { headers: ivan.headers, body });

test('nobody follows a draft until it is published, and it need not be valid', async () => {
  const path = await created('Drafted');
  const { body: before } = await asOlga('GET', path);
  assert.deepEqual([before.draft.revision, before.draft.source, before.has_draft], [0, null, false]);
  const broken = await asOlga('PUT', `${path}draft/`, { source: '{ "name": ', version: 1, revision: 0 });
  assert.deepEqual([broken.status, broken.body], [200, { revision: 1 }]);
  const source = sourceOf('Drafted', 'second');
  await asOlga('PUT', `${path}draft/`, { source, version: 1, revision: 1 });

  const { body: meanwhile } = await asIvan('GET', path);
  assert.deepEqual([meanwhile.version, meanwhile.source], [1, sourceOf('Drafted', 'first')]);
  assert.deepEqual(
    [meanwhile.draft.source, meanwhile.draft.saved_by, meanwhile.has_draft],
    [source, 'Olga', true],
  );

  const published = await asOlga('PUT', path, { source, version: 1, revision: 2 });
  assert.deepEqual([published.status, published.body.version], [200, 2]);
  const { body: now } = await asIvan('GET', path);
  assert.deepEqual([now.source, now.draft.source, now.draft.revision], [source, null, 3]);
});

test('of two people who draft at once one gets a conflict, and nothing is lost', async () => {
  const path = await created('Shared draft');
  const draft = (text: string, revision: number) => ({
    source: sourceOf('Shared draft', text),
    version: 1,
    revision,
  });
  const [olgas, ivans] = await Promise.all([
    asOlga('PUT', `${path}draft/`, draft('by Olga', 0)),
    asIvan('PUT', `${path}draft/`, draft('by Ivan', 0)),
  ]);
  assert.deepEqual([olgas.status, ivans.status].sort(), [200, 409]);
  const refused = olgas.status === 409 ? olgas : ivans;
  const winner = olgas.status === 409 ? 'Ivan' : 'Olga';
  assert.equal(refused.body.draft.source, sourceOf('Shared draft', `by ${winner}`));

  const late = { source: sourceOf('Shared draft', 'late'), version: 1, revision: 0 };
  const unpublished = await asOlga('PUT', path, late);
  assert.deepEqual([unpublished.status, unpublished.body.draft.saved_by], [409, winner]);
  assert.equal((await asOlga('GET', path)).body.version, 1);

  // A published draft leaves a later revision behind, so that an old page cannot save over the next draft.
  const { body: mine } = await asOlga('PUT', `${path}draft/`, draft('again', 1));
  await asOlga('PUT', path, {
    source: sourceOf('Shared draft', 'again'),
    version: 1,
    revision: mine.revision,
  });
  assert.equal((await asIvan('PUT', `${path}draft/`, draft('old', 1))).status, 409);
  assert.equal((await asIvan('PUT', `${path}draft/`, { ...draft('x', 3), source: null })).status, 200);
});

test('no version with an address inside is stored, and the page shows the place of the fault', async () => {
  const path = await created('Inside');
  const steps = [{ id: 'call', type: 'request', url: 'http://10.0.0.1/{{x}}' }];
  const message = 'The host 10.0.0.1 is not on the public internet.';
  for (const name of ['Inside', 'Inside too']) {
    const source = JSON.stringify({ name, steps });
    const { status, body } = await (name === 'Inside'
      ? asOlga('PUT', path, { source, version: 1 })
      : asOlga('POST', root, { source }));
    assert.deepEqual([status, body], [400, { steps: { call: { url: [message] } } }]);
    const { body: checked } = await asOlga('POST', `${root}check/`, { source });
    assert.deepEqual(checked.complaints, [{ pointer: '/steps/0/url', message }]);
  }
  assert.equal((await asOlga('GET', path)).body.version, 1);
});

test('two people who have a scenario open see each other', async () => {
  const path = await created('Open');
  const { body: alone } = await asOlga('POST', `${path}editors/`);
  assert.deepEqual(alone, { names: [], version: 1, revision: 0 });
  assert.deepEqual((await asIvan('POST', `${path}editors/`)).body.names, ['Olga']);
  assert.deepEqual((await asOlga('POST', `${path}editors/`)).body.names, ['Ivan']);
});

test('a picture for a scenario has a public address, and is kept', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const response = await fetch(`${address}/console/api/attachments/?name=dot.png`, {
    method: 'POST',
    headers: { ...olga.headers, 'content-type': 'application/octet-stream' },
    body: png,
  });
  assert.equal(response.status, 201);
  const [kept] = await context.sql<{ used_at: Date | null }[]>`
    select used_at from attachments where project_id = ${projectId} and name = 'dot.png'`;
  assert.ok(kept?.used_at);
});

test('an invalid change is refused, and changes nothing', async () => {
  const path = await created('Right');
  await created('Taken');
  const refused: [source: string, body: object][] = [
    [sourceOf('Taken', 'x'), { name: ['This field must be unique.'] }],
    [sourceOf('Right', 'x').replace('"hi"', '"h i"'), { steps: { 0: { id: ['Enter a valid value.'] } } }],
  ];
  for (const [source, complaint] of refused) {
    for (const [method, to, body] of [
      ['PUT', path, { source, version: 1 }],
      ['POST', root, { source }],
    ] as const) {
      const answer = await asOlga(method, to, body);
      assert.deepEqual([answer.status, answer.body], [400, complaint]);
    }
  }
  assert.equal((await asOlga('PUT', path, { source: '{', version: 1 })).status, 400);
  assert.equal((await asOlga('GET', path)).body.version, 1);
});

test('a check reports every problem by its JSON Pointer, and missing objects of the project', async () => {
  const source = JSON.stringify({
    name: 'Checked',
    steps: [
      { id: 'a', type: 'ask', text: '?', check: 'choice' },
      { id: 'b', type: 'message', text: 'x', next: 'c', nxt: 'd' },
    ],
  });
  const { body } = await asOlga('POST', `${root}check/`, { source });
  assert.deepEqual(body.complaints, [
    { pointer: '/steps/0/options', message: 'A choice needs options.' },
    { pointer: '/steps/1/nxt', message: 'There is no such field here.' },
  ]);
  const { body: right } = await asOlga('POST', `${root}check/`, {
    source: sourceOf('Checked', '{{promocode:Spring}}'),
  });
  assert.deepEqual([right.complaints, right.missing.promocode_groups], [[], ['Spring']]);
});

const example = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'examples', name));

test('a play has the output of the command, and its current step', async () => {
  const [scenario, script] = [example('sizes.json'), example('sizes.script.json')];
  const source = scenario.toString();
  const whole = JSON.parse(script.toString());
  const { status, body } = await asOlga('POST', `${root}play/`, { source, script: whole });
  assert.equal(status, 200);
  assert.deepEqual(transcriptOf(body.entries), playFiles([scenario], script).transcript);
  assert.deepEqual([body.failures, body.step, body.attributes], [[], null, { size: 'large' }]);

  const begun = { ...whole, lines: whole.lines.slice(0, 2) };
  const { body: waiting } = await asOlga('POST', `${root}play/`, { source, script: begun });
  assert.deepEqual(
    [waiting.step, waiting.waits_for, waiting.until],
    ['size', 'client', '2026-01-01T11:00:00.000Z'],
  );
  const wrong = { ...whole, lines: [{ expect: 'Something else' }] };
  const { body: failed } = await asOlga('POST', `${root}play/`, { source, script: wrong });
  assert.equal(failed.failures.length, 1);
});

test('a play continues in the scenarios of the project', async () => {
  const on = { name: 'On', steps: [{ id: 'on', type: 'goto', scenario: 'Bye' }] };
  const file = { name: 'Bye', steps: [{ id: 'bye', type: 'message', text: 'Bye' }] };
  await importScenario(context, { projectId, file: Buffer.from(JSON.stringify(file)) });
  const body = { source: JSON.stringify(on), script: { lines: [] } };
  const mine = await asOlga('POST', `${root}play/`, body);
  assert.deepEqual(transcriptOf(mine.body.entries).slice(-2), ['bot:    Bye', '        (the end)']);
  const theirs = await call('POST', `${root}play/`, { headers: stranger.headers, body });
  assert.equal(theirs.body.entries.at(-1).what, 'failure');
});

test('the list shows the triggers of a scenario', async () => {
  await created('Listed');
  await setStarters(context, projectId, [
    { keyword: '', scenario: 'Listed' },
    { keyword: 'Price', scenario: 'Listed' },
  ]);
  const { body } = await asOlga('GET', root);
  const listed = body.results.find(({ name }: { name: string }) => name === 'Listed');
  assert.deepEqual([listed.welcome, listed.keywords, listed.running], [true, ['price'], 0]);
});

test('a test is stored with its scenario, under its name, until it is deleted', async () => {
  const path = await created('Tested');
  const script = { lines: [{ expect: 'first' }] };
  const { body: kept } = await asOlga('POST', `${path}tests/`, { name: 'Hello', script });
  const again = await asOlga('POST', `${path}tests/`, { name: 'Hello', script: { lines: [] } });
  assert.equal(again.body.uuid, kept.uuid);
  assert.deepEqual((await asOlga('GET', path)).body.tests, [{ ...kept, script: { lines: [] } }]);
  const large = { params: { word: 'x'.repeat(65_536) }, lines: [] };
  const tooLarge = await asOlga('POST', `${path}tests/`, { name: 'Large', script: large });
  assert.deepEqual(tooLarge.body, { script: ['Ensure this field has no more than 65536 characters.'] });
  const refused = await asOlga('POST', `${path}tests/`, { name: 'Bad', script: { lines: [{}] } });
  assert.equal(refused.status, 400);
  assert.equal((await asOlga('DELETE', `${path}tests/${kept.uuid}/`)).status, 204);
  assert.equal((await asOlga('DELETE', `${path}tests/${kept.uuid}/`)).status, 404);
});

test('the tests of a scenario have a mebibyte together, because its page lists them at once', async () => {
  const path = await created('Weighed');
  const save = (name: string, characters: number) =>
    asOlga('POST', `${path}tests/`, {
      name,
      script: { params: { word: 'x'.repeat(characters) }, lines: [] },
    });
  for (let n = 0; n < 16; n += 1) assert.equal((await save(`Test ${n}`, 65_000)).status, 200);
  const refused = await save('One more', 65_000);
  assert.deepEqual([refused.status, refused.body], [400, { detail: fullOfTests }]);
  assert.equal((await save('Small', 1_000)).status, 200);
  assert.equal((await save('Test 0', 1_000)).status, 200);
  assert.equal((await save('One more', 60_000)).status, 200);
  assert.equal((await asOlga('GET', path)).body.tests.length, 18);
});

const fullOfTests = 'The tests of this scenario are too large together: they may have 1048576 characters.';

test('another project’s scenario is not found', async () => {
  const path = await created('Own');
  const source = sourceOf('Own', 'stolen');
  for (const [method, to, body] of [
    ['GET', path],
    ['PUT', path, { source, version: 1 }],
    ['PUT', `${path}draft/`, { source, version: 1, revision: 0 }],
    ['POST', `${path}editors/`],
    ['GET', `${path}versions/`],
    ['GET', `${path}versions/1/`],
    ['POST', `${path}tests/`, { name: 'x', script: { lines: [] } }],
  ] as const) {
    assert.equal((await call(method, to, { headers: stranger.headers, body })).status, 404, to);
  }
  assert.equal((await asOlga('GET', path)).body.version, 1);
});
