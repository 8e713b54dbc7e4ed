import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CDPSession, Locator, Page } from 'playwright-core';
import type { Context } from '../../src/platform/context.ts';
import { importScenario } from '../../src/scenarios/import.ts';
import { signIn } from '../person.ts';
import { axeFindings, paint } from './axe.ts';
import { noBrowser } from './chromium.ts';
import { startDemo } from './owner.ts';

const options = { skip: noBrowser };

/** The console at a new scenario with a single message, and everything that the browser complained of. */
async function startCanvas(t: TestContext) {
  const demo = await startDemo(t);
  await demo.page.setViewportSize({ width: 1440, height: 1000 });
  await demo.page.getByRole('heading', { name: 'Welcome to Patchbay' }).waitFor();
  return demo;
}

const card = (page: Page, id: string): Locator => page.locator(`[data-card="${id}"]`);

const handle = (page: Page, id: string, way: string): Locator =>
  card(page, id).locator(`.react-flow__handle[data-handleid="${way}"]`);

async function centreOf(place: Locator): Promise<{ x: number; y: number }> {
  const box = await place.boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Drags from a way out to a point, or to another card. */
async function drag(page: Page, from: Locator, to: Locator | { x: number; y: number }): Promise<void> {
  const start = await centreOf(from);
  const end = 'x' in to ? to : await centreOf(to);
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

async function begin(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Scenarios', exact: true }).click();
  await page.getByRole('link', { name: 'New scenario' }).first().click();
  await page.getByRole('radio', { name: /An empty canvas/ }).check();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create' }).click();
  await card(page, 'hello').waitFor();
}

/** A client who qualifies, and what the player tells. */
async function tryIt(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Try it' }).click();
  const log = page.getByRole('log', { name: 'Try it as a client' });
  await log.getByText('Which budget do you have?').waitFor();
  assert.equal(await card(page, 'ask').getAttribute('data-here'), 'true');
  await log.getByRole('button', { name: 'Large' }).click();
  await log.getByText('hands over to operators: Lead').waitFor();
  await page.locator('[data-card="operator"][data-here]').waitFor();
}

async function publish(page: Page): Promise<void> {
  await page.getByRole('status').getByText('No errors').waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Version 2').waitFor();
}

test(
  'the qualification of a lead is built by mouse, tried and published, without a look at JSON',
  options,
  async (t) => {
    const { page, context, problems } = await startCanvas(t);
    await begin(page, 'Leads');
    const { x, y } = await centreOf(card(page, 'hello'));

    await drag(page, handle(page, 'hello', 'next'), { x: x + 250, y: y - 60 });
    await page.getByRole('menuitem', { name: /^Question/ }).click();
    await card(page, 'ask').waitFor();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Which budget do you have?');
    await page.getByRole('combobox', { name: 'Accepted answers' }).click();
    await page.getByRole('option', { name: 'One of the options' }).click();
    await page.getByRole('textbox', { name: 'Option 1' }).fill('Large');
    await page.getByRole('button', { name: 'Add an option' }).click();
    await page.getByRole('textbox', { name: 'Option 2' }).fill('Small');

    await page.getByRole('button', { name: 'Show all' }).click();
    const ask = await centreOf(card(page, 'ask'));
    await drag(page, handle(page, 'ask', 'options.0.next'), { x: ask.x + 180, y: ask.y - 120 });
    await page.getByRole('menuitem', { name: /^Operators/ }).click();
    await page.getByRole('textbox', { name: 'Title of the session' }).fill('Lead');

    await page.getByRole('button', { name: 'Show all' }).click();
    await drag(page, handle(page, 'ask', 'options.1.next'), { x: ask.x + 180, y: ask.y + 150 });
    await page.getByRole('menuitem', { name: /^Message/ }).click();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('See our shop.');
    // A wrong answer ends with the operators too.
    await page.getByRole('button', { name: 'Show all' }).click();
    await drag(page, handle(page, 'ask', 'failed'), card(page, 'operator'));

    assert.deepEqual(await axeFindings(page), []);
    await tryIt(page);
    await publish(page);
    const [row] = await context.sql<{ definition: { steps: { id: string; failed?: string }[] } }[]>`
    select definition from scenario_versions order by version desc limit 1`;
    assert.equal(row?.definition.steps.find(({ id }) => id === 'ask')?.failed, 'operator');

    // Its numbers, and the way of a chat.
    await context.sql`
      insert into scenario_counts (project_id, scenario_id, day, step, way, count)
      select project_id, id, (${context.clock.now()}::timestamptz at time zone 'UTC')::date, step, way, count
      from scenarios cross join (values ('ask', '', 5), ('ask', 'options.0.next', 3)) as counted (step, way, count)
      where name = 'Leads'`;
    await context.sql`
      insert into scenario_runs (
        project_id, chat_id, id, scenario_id, version, params, state, lane, path, created_at
      )
      select scenarios.project_id, chats.id, chats.id, scenarios.id, 2, '{}', '{"at": {"step": "ask"}}', 0,
        '{"hello ","hello next","ask "}', now()
      from scenarios join chats on chats.project_id = scenarios.project_id where scenarios.name = 'Leads' limit 1`;
    await page.getByRole('tab', { name: 'Usage' }).click();
    await page.locator('[role=tabpanel]').getByText('7 days').click();
    await card(page, 'ask').getByText('came: 5').waitFor();
    await card(page, 'ask').getByText('wait: 1').waitFor();
    await card(page, 'ask').getByText('gave up: 1').waitFor();
    await page.getByPlaceholder('Choose a chat').click();
    await page.getByRole('option').first().click();
    await page.locator('.react-flow__edge.walked').waitFor({ state: 'attached' });
    // Publishing ends no undo.
    assert.equal(await page.getByRole('button', { name: 'Undo' }).isEnabled(), true);
    await paint(page, 'dark');
    assert.deepEqual(await axeFindings(page), []);
    assert.deepEqual(problems, []);
  },
);

test('the qualification of a lead is built by keyboard alone, tried and published', options, async (t) => {
  const { page, context, problems } = await startCanvas(t);
  await begin(page, 'Leads');
  const { keyboard } = page;
  /** Chooses a kind in the menu by its first letters. */
  const add = async (kind: string, id: string) => {
    await keyboard.press('n');
    await page.getByRole('menuitem', { name: new RegExp(`^${kind}`) }).waitFor();
    for (let press = 0; press < 12; press += 1) {
      const focused = await page.evaluate('document.activeElement.textContent');
      if (String(focused).startsWith(kind)) break;
      await keyboard.press('ArrowDown');
    }
    await keyboard.press('Enter');
    await page.locator(`[data-card="${id}"]:focus`).waitFor();
  };
  /** Tabs on until a field of this name has the focus. */
  const reach = async (name: string) => {
    for (let press = 0; press < 150; press += 1) {
      const label = await page.evaluate(`(() => {
        const { activeElement: at } = document;
        return at.ariaLabel ?? at.labels?.[0]?.textContent ?? at.textContent;
      })()`);
      if (String(label) === name || (String(label).startsWith(name) && name.includes(' '))) return;
      await keyboard.press('Tab');
    }
    assert.fail(`Tab never reaches ${name}`);
  };
  await reach('Message “hello”');
  await add('Question', 'ask');
  await keyboard.press('Enter');
  await keyboard.type('Which budget do you have?');
  await reach('Accepted answers');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowUp');
  await keyboard.press('Enter');
  await reach('Option 1');
  await keyboard.type('Large');
  await reach('Add an option');
  await keyboard.press('Enter');
  await keyboard.press('Shift+Tab');
  await keyboard.press('Shift+Tab');
  await keyboard.press('Shift+Tab');
  await reach('Option 2');
  await keyboard.type('Small');
  await keyboard.press('Escape');
  await page.locator('[data-card="ask"]:focus').waitFor();

  await add('Operators', 'operator');
  await keyboard.press('Enter');
  await reach('Title of the session');
  await keyboard.type('Lead');
  await keyboard.press('Escape');
  await page.locator('[data-card="operator"]:focus').waitFor();
  await keyboard.press('ArrowLeft');
  await page.locator('[data-card="ask"]:focus').waitFor();

  await add('Message', 'message');
  await keyboard.press('Enter');
  await keyboard.type('See our shop.');
  await keyboard.press('Escape');
  // The wrong answers are led to the operators.
  await keyboard.press('ArrowLeft');
  await page.locator('[data-card="ask"]:focus').waitFor();
  await keyboard.press('c');
  await reach('“Too many wrong answers” leads to');
  await keyboard.type('operator');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await keyboard.press('Escape');
  await page.locator('[data-card="ask"]:focus').waitFor();
  // Undone, and done again.
  await keyboard.press('Control+z');
  await keyboard.press('Control+Shift+z');

  await reach('Step');
  await keyboard.press('ArrowRight');
  await page.getByRole('log').getByText('Which budget do you have?').waitFor();
  await reach('Large');
  await keyboard.press('Enter');
  await page.getByRole('log').getByText('hands over to operators: Lead').waitFor();
  await page.locator('[data-card="operator"][data-here]').waitFor();
  await page.getByRole('status').getByText('No errors').waitFor();
  await reach('Publish');
  await keyboard.press('Enter');
  await page.getByText('Version 2').waitFor();
  const [row] = await context.sql<{ definition: { steps: { id: string; failed?: string }[] } }[]>`
    select definition from scenario_versions order by version desc limit 1`;
  assert.equal(row?.definition.steps.find(({ id }) => id === 'ask')?.failed, 'operator');
  assert.deepEqual(problems, []);
});

/** A scenario of so many steps, without places: the canvas arranges them itself. */
const scenarioOf = (steps: number) => ({
  name: `${steps} steps`,
  steps: Array.from({ length: steps }, (_, index) => ({
    id: `step-${index}`,
    type: 'message',
    text: `Message ${index}: thank you for asking about the order, it is on its way to you.`,
    ...(index % 7 === 0 && {
      buttons: [
        { text: 'On', next: `step-${Math.min(steps - 1, index + 5)}` },
        { text: 'Back', next: `step-${Math.max(0, index - 6)}` },
      ],
    }),
  })),
});

/** The processor time of the page's main thread since its document began, in seconds. */
async function busySeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}

/** Milliseconds of the main thread: to open the canvas, and for one movement of a pan. Other programs do not count. */
async function costOf(page: Page, devtools: CDPSession, path: string) {
  await page.goto('about:blank');
  const idle = await busySeconds(devtools);
  await page.goto(path, { waitUntil: 'commit' });
  await card(page, 'step-0').waitFor();
  const opened = await busySeconds(devtools);
  const { x, y } = await centreOf(page.locator('.react-flow__pane'));
  await page.mouse.move(x, y + 200);
  await page.mouse.down();
  const begun = await busySeconds(devtools);
  for (let step = 0; step < movements; step += 1)
    await page.mouse.move(x - (step % 120) * 5, y + 200 - (step % 40));
  const moved = await busySeconds(devtools);
  await page.mouse.up();
  return { opening: (opened - idle) * 1_000, panning: ((moved - begun) * 1_000) / movements };
}
const movements = 120;

/** Imports scenarios of these sizes, and answers the addresses of their canvases. */
async function imported(context: Context, page: Page, sizes: readonly number[]): Promise<string[]> {
  const [project] = await context.sql<{ id: string }[]>`select id from projects`;
  const paths: string[] = [];
  for (const steps of sizes) {
    const file = Buffer.from(JSON.stringify(scenarioOf(steps)));
    const { id } = await importScenario(context, { projectId: project?.id ?? '', file });
    paths.push(new URL(`scenarios/${id}/`, page.url()).href);
  }
  return paths;
}

test('a canvas of five hundred steps opens and pans like one of twenty', options, async (t) => {
  const { page, context, problems } = await startCanvas(t);
  const paths = await imported(context, page, [20, 500]);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });

  const rounds: { opening: number; panning: number }[][] = [];
  for (let round = 0; round < 3; round += 1) {
    const costs = [];
    for (const path of paths) costs.push(await costOf(page, devtools, path));
    rounds.push(costs);
  }
  const least = (size: number, what: 'opening' | 'panning') =>
    Math.min(...rounds.map((costs) => costs[size]?.[what] ?? Number.NaN));
  for (const what of ['opening', 'panning'] as const)
    t.diagnostic(
      `${what}: ${least(0, what).toFixed(2)} ms with 20 steps, ${least(1, what).toFixed(2)} ms with 500`,
    );
  assert.ok(least(1, 'opening') < 3 * least(0, 'opening'));
  assert.ok(least(1, 'panning') < 2 * least(0, 'panning'));
  assert.deepEqual(problems, []);
});

test('the canvas adds less than 200 KiB of scripts and styles to the console', options, async (t) => {
  const { page, context } = await startCanvas(t);
  const [path = ''] = await imported(context, page, [1]);
  await page.goto(path);
  await card(page, 'step-0').waitFor();
  const bytes = await page.evaluate<number>(
    `performance.getEntriesByType('resource')
      .filter(({ name, transferSize }) => /\\.(js|css)$/.test(name) && transferSize > 0)
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
  );
  t.diagnostic(`${Math.round(bytes / 1024)} KiB`);
  assert.ok(bytes > 10_000 && bytes < 200 * 1024, `${bytes} bytes`);
});

test('two people at one draft see each other, and a conflict is merged without loss', options, async (t) => {
  const { page, context, call, problems } = await startCanvas(t);
  await begin(page, 'Shared');
  const [scenario] = await context.sql<{ id: number; project_id: string }[]>`
    select id, project_id from scenarios where name = 'Shared'`;
  assert.ok(scenario);
  const ivan = await signIn(context, { projectId: scenario.project_id, name: 'Ivan' });
  const path = `/console/api/scenarios/${scenario.id}/`;
  const asIvan = async (method: string, to: string, body?: object) =>
    (await call(method, path + to, { headers: ivan.headers, body })).body;

  await asIvan('POST', 'editors/');
  await page.getByText('Also open at: Ivan').waitFor();

  // Both begin from the published text. Ivan is a moment faster.
  const { source } = await asIvan('GET', '');
  const theirs = source.replace('Hello!', 'Good morning!');
  assert.equal((await asIvan('PUT', 'draft/', { source: theirs, version: 1, revision: 0 })).revision, 1);
  await card(page, 'hello').focus();
  await page.keyboard.press('n');
  await page.getByRole('menuitem', { name: /^Wait/ }).click();
  await page.getByText('Ivan changed this draft').waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await page.getByRole('button', { name: 'Merge both' }).click();
  await page.getByText('Both of you changed these, and yours are used: hello.').waitFor();
  // The person takes the other words for the one card.
  await page.getByRole('button', { name: 'Go on with my text' }).click();
  await card(page, 'wait').waitFor();
  await page.getByRole('status').getByText('Draft saved').waitFor();
  const { draft, version } = await asIvan('GET', '');
  assert.equal(version, 1);
  assert.ok(draft.source.includes('"wait"'));

  await page.getByRole('status').getByText('No errors').waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByText('Version 2').waitFor();
  await page.getByRole('link', { name: 'Versions' }).click();
  await page.getByRole('button', { name: 'Compare version 1' }).click();
  await page.locator('[data-card="wait"][data-mark="added"]').waitFor();
  await page.locator('[data-card="hello"][data-mark="changed"]').waitFor();
  assert.deepEqual(await axeFindings(page), []);
  // The browser reports the refused save.
  assert.deepEqual(
    problems.filter((problem) => !problem.includes('409')),
    [],
  );
});

test(
  'cards are copied, grouped, found, commented and tidied, and everything can be undone',
  options,
  async (t) => {
    const { page, context, problems } = await startCanvas(t);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await begin(page, 'Breadth');
    const sourceOf = async (): Promise<string> => {
      await page.getByRole('status').getByText('Draft saved').waitFor();
      const [row] = await context.sql<{ source: string }[]>`select source from scenario_drafts`;
      return row?.source ?? '';
    };
    const before = await context.sql<{ source: string }[]>`select source from scenario_versions`;
    const { keyboard, mouse } = page;

    // Copied and pasted, within the scenario and as a duplicate.
    await card(page, 'hello').click();
    await keyboard.press('Control+c');
    await keyboard.press('Control+v');
    await card(page, 'hello-2').waitFor();
    await keyboard.press('Control+d');
    await card(page, 'hello-3').waitFor();

    // A box around all cards selects them, and one of them moves all.
    await page.getByRole('button', { name: 'Tidy up' }).click();
    await page.getByRole('button', { name: 'Show all' }).click();
    const pane = await page.locator('.react-flow__pane').boundingBox();
    assert.ok(pane);
    await keyboard.down('Shift');
    await mouse.move(pane.x + 5, pane.y + 60);
    await mouse.down();
    await mouse.move(pane.x + pane.width - 5, pane.y + pane.height - 5, { steps: 5 });
    await mouse.up();
    await keyboard.up('Shift');
    assert.equal(await page.locator('[data-card][data-selected]').count(), 4);
    const places = async (): Promise<number[]> =>
      page.locator('[data-card]').evaluateAll((cards) => cards.map((one) => one.getBoundingClientRect().top));
    const were = await places();
    const { x, y } = await centreOf(card(page, 'hello').getByText('Hello!'));
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(x, y + 60, { steps: 6 });
    await mouse.up();
    const are = await places();
    const moved = new Set(are.map((top, index) => Math.round(top - (were[index] ?? 0))));
    assert.ok(moved.size === 1 && [...moved].every((by) => by > 40), `${[...moved]}`);

    // A comment is kept beside the steps.
    await page.getByRole('button', { name: 'Add a comment' }).click();
    await page.getByRole('textbox', { name: 'Comment' }).fill('Ask Ann');
    assert.match(await sourceOf(), /Ask Ann/);

    // Found by its words.
    await page.getByRole('searchbox', { name: 'Find a card' }).fill('hello-2');
    await keyboard.press('Enter');
    await page.getByText('1 of 1').waitFor();
    await keyboard.press('Escape');
    await page.locator('[data-card="hello-2"]:focus').waitFor();
    await keyboard.press('Delete');
    await card(page, 'hello-2').waitFor({ state: 'detached' });

    // Everything back, to the last character.
    const undo = page.getByRole('button', { name: 'Undo' });
    for (let step = 0; step < 60 && (await undo.isEnabled()); step += 1) await undo.click();
    await page.getByRole('status').getByText('Published').waitFor();
    await page.locator('.mantine-SegmentedControl-root').getByText('JSON', { exact: true }).click();
    const text = await page.locator('.cm-content').innerText();
    assert.equal(text.trim(), before[0]?.source.trim());
    assert.deepEqual(problems, []);
  },
);

/** A picture of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test('a picture is uploaded in place, and the published step has its public address', options, async (t) => {
  const { page, context, address, problems } = await startCanvas(t);
  await begin(page, 'Pictured');
  await card(page, 'hello').focus();
  await page.keyboard.press('Enter');
  await page.getByText('Picture', { exact: true }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Upload' }).click();
  await (await choosing).setFiles({ name: 'tea.png', mimeType: 'image/png', buffer: pixel });
  const field = page.getByRole('textbox', { name: 'Address of the file' });
  await card(page, 'hello').getByText('▣ tea.png').waitFor();
  const url = new URL(await field.inputValue());
  assert.deepEqual(await axeFindings(page), []);
  const stored = await fetch(address + url.pathname);
  assert.deepEqual([stored.status, stored.headers.get('content-type')], [200, 'image/png']);
  assert.ok(Buffer.from(await stored.arrayBuffer()).equals(pixel));
  await publish(page);
  const [row] = await context.sql<{ definition: { steps: { image?: string }[] } }[]>`
    select definition from scenario_versions order by version desc limit 1`;
  assert.equal(row?.definition.steps[0]?.image, url.href);
  assert.deepEqual(problems, []);
});

test('a value of a sample response is picked by a click, and stored by its place', options, async (t) => {
  const { page, context, problems } = await startCanvas(t);
  await begin(page, 'Asked');
  await card(page, 'hello').focus();
  await page.keyboard.press('n');
  await page.getByRole('menuitem', { name: /^Request/ }).click();
  await card(page, 'request').waitFor();
  await page
    .getByRole('textbox', { name: 'Address', exact: true })
    .fill('https://shop.test/orders/{{order}}');
  const sample = page.getByRole('textbox', { name: 'Sample response (JSON)' });
  await sample.fill('{"order": ');
  await page.getByText('The text is not valid JSON.').waitFor();
  await sample.fill(JSON.stringify({ order: { state: 'paid', 'a/b': [{ state: 7 }] } }));
  await page.getByRole('button', { name: 'Store /order/state: "paid"' }).click();
  await page.getByText('in the sample: "paid"').waitFor();
  // The second value of this name gets its own variable, and its place is escaped.
  await page.getByRole('button', { name: 'Store /order/a~1b/0/state: 7' }).click();
  await page.getByText('in the sample: 7').waitFor();
  assert.deepEqual(await axeFindings(page), []);
  await publish(page);
  const [row] = await context.sql<{ definition: { steps: { type: string; keep?: object }[] } }[]>`
    select definition from scenario_versions order by version desc limit 1`;
  assert.deepEqual(row?.definition.steps.find(({ type }) => type === 'request')?.keep, {
    state: '/order/state',
    state_2: '/order/a~1b/0/state',
  });
  assert.deepEqual(problems, []);
});

test('in a conflict a person keeps their text as a copy, and the other text stays', options, async (t) => {
  const { page, context, call, problems } = await startCanvas(t);
  // Otherwise the page may load the other text before its own change.
  await page.route('**/editors/', (route) => route.fulfill({ json: { names: [], version: 0, revision: 0 } }));
  await begin(page, 'Shared');
  const [scenario] = await context.sql<{ id: number; project_id: string }[]>`
    select id, project_id from scenarios where name = 'Shared'`;
  assert.ok(scenario);
  const ivan = await signIn(context, { projectId: scenario.project_id, name: 'Ivan' });
  const read = async (id: number) =>
    (await call('GET', `/console/api/scenarios/${id}/`, { headers: ivan.headers })).body;
  const open = page.url();
  // The copy has the own text: here it does not come back.
  const others = ['Hello!', 'Good morning 0!', 'Good morning 1!'];
  const openAgain = async (attempt: number) => {
    await page.goto(open);
    await card(page, 'hello')
      .getByText(others[attempt] ?? '')
      .waitFor();
  };
  for (const [attempt, copyName] of ['Shared (copy)', 'Shared (copy 2)'].entries()) {
    await openAgain(attempt);
    const before = await read(scenario.id);
    const source = before.source.replace('Hello!', others[attempt + 1] ?? '');
    await card(page, 'hello').focus();
    const { version, draft } = before;
    const kept = await call('PUT', `/console/api/scenarios/${scenario.id}/draft/`, {
      headers: ivan.headers,
      body: { source, version, revision: draft?.revision ?? 0 },
    });
    assert.equal(kept.status, 200, JSON.stringify(kept.body));
    await page.keyboard.press('n');
    await page.getByRole('menuitem', { name: /^Wait/ }).click();
    await page.getByRole('button', { name: 'Keep my text as a copy' }).click();
    await page.getByRole('heading', { name: copyName, exact: true }).waitFor();
    await card(page, 'wait').waitFor();
    const [copy] = await context.sql<{ id: number }[]>`
      select id from scenarios where project_id = ${scenario.project_id} and name = ${copyName}`;
    const made = await read(copy?.id ?? 0);
    assert.ok(made.draft.source.includes('"wait"') && made.draft.source.includes(others[attempt] ?? ''));
    assert.equal((await read(scenario.id)).draft.source, source);
  }
  await openAgain(2);
  assert.deepEqual(
    problems.filter((problem) => !/409|400/.test(problem)),
    [],
  );
});

test('a publication while an older text is still being kept publishes the newer text', options, async (t) => {
  const { page, context, problems } = await startCanvas(t);
  await begin(page, 'Typed on');
  const older = Promise.withResolvers<void>();
  let isFirst = true;
  await page.route('**/draft/', async (route) => {
    if (route.request().method() === 'PUT' && isFirst) {
      isFirst = false;
      await older.promise;
    }
    await route.continue();
  });
  await card(page, 'hello').focus();
  await page.keyboard.press('Enter');
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  const keeping = page.waitForRequest((request) => request.method() === 'PUT');
  await text.fill('Older');
  const first = await keeping;
  // While a text is checked, it cannot be published.
  const checked = page.waitForResponse(
    (response) => response.url().endsWith('/check/') && !!response.request().postData()?.includes('Newer'),
  );
  await text.fill('Newer');
  await checked;
  await page.getByRole('status').getByText('No errors').waitFor();
  await page.getByRole('button', { name: 'Publish' }).click();
  older.resolve();
  assert.equal((await first.response())?.status(), 200);
  await page.getByText('Version 2').waitFor();
  const [row] = await context.sql<{ definition: { steps: { text?: string }[] } }[]>`
    select definition from scenario_versions order by version desc limit 1`;
  assert.equal(row?.definition.steps[0]?.text, 'Newer');
  assert.deepEqual(problems, []);
});

test('every kind of step has a form, and both languages and schemes are accessible', options, async (t) => {
  const { page, context, problems } = await startCanvas(t);
  const [project] = await context.sql<{ id: string }[]>`select id from projects`;
  const { id } = await importScenario(context, {
    projectId: project?.id ?? '',
    file: Buffer.from(JSON.stringify(whole)),
  });
  for (const language of ['en', 'ru']) {
    await page.evaluate(`localStorage.setItem('patchbay-language', '${language}')`);
    await page.goto(new URL(`scenarios/${id}/`, page.url().replace(/scenarios.*/, '')).href);
    await paint(page, language === 'en' ? 'light' : 'dark');
    // The first view begins at the start.
    await page.locator('.react-flow__viewport[style*="scale(0.6)"]').waitFor();
    await page.getByRole('button', { name: /Show all|Показать всё/ }).click();
    for (const { id: step } of whole.steps) {
      await card(page, step).focus();
      await page.keyboard.press('Enter');
      await page.locator(`[role=tabpanel] input[value="${step}"]`).first().waitFor();
      assert.deepEqual(await axeFindings(page), [], `${step} ${language}`);
      await page.keyboard.press('Escape');
    }
  }
  assert.deepEqual(problems, []);
});

/** Each kind of step, with everything that its form shows. */
const whole = {
  name: 'Whole',
  steps: [
    {
      id: 'hello',
      type: 'message',
      image: 'https://a.test/a.png',
      text: 'Hi {{name}}',
      buttons: [
        { text: 'On', next: 'ask' },
        { text: 'Site', url: 'https://a.test/' },
      ],
    },
    {
      id: 'ask',
      type: 'ask',
      text: 'Size?',
      check: 'choice',
      options: [{ text: 'S' }, { text: 'M', next: 'wait' }],
      keep: { variable: 'size', attribute: 'size' },
      retry: { text: 'Again', times: 1 },
      failed: 'human',
      timeout: { after: { days: 1, hours: 2 }, next: 'bye' },
    },
    {
      id: 'fork',
      type: 'branch',
      cases: [{ when: { all: [{ type: 'attribute', size: 'S' }] }, next: 'set' }],
    },
    { id: 'wait', type: 'wait', for: { minutes: 5 } },
    {
      id: 'set',
      type: 'set',
      variables: { a: '1' },
      attributes: { city: 'Oslo' },
      add_tags: ['vip'],
      remove_tags: ['new'],
    },
    {
      id: 'call',
      type: 'request',
      method: 'POST',
      url: 'https://a.test/',
      headers: { 'x-a': '1' },
      body: { a: 1 },
      keep: { state: '/state' },
      failed: 'human',
    },
    { id: 'code', type: 'promocode', group: 'Spring', variable: 'code', empty: 'human' },
    { id: 'human', type: 'operator', text: 'One moment', title: 'Size {{size}}', team: 'Sales' },
    { id: 'on', type: 'goto', step: 'bye' },
    { id: 'bye', type: 'end' },
  ],
};
