import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createDemo } from '../../src/demo/create-demo.ts';
import { startPatchbay } from '../harness.ts';
import { launchChromium } from './chromium.ts';

/** The demo, with its owner signed in. `root` is the project's first page, and `chats` are the demo's clients. */
export async function startDemo(t: TestContext, locale = 'en') {
  const patchbay = await startPatchbay(t);
  const { context, address } = patchbay;
  const demo = await createDemo(context);
  assert.ok(demo);
  const browser = await launchChromium();
  t.after(() => browser.close());
  const visitor = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale });
  const page = await visitor.newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (said) => {
    if (said.type() === 'error') problems.push(said.text());
  });
  await page.goto(address + new URL(demo.signInUrl).pathname);
  await page.getByRole('button').first().click();
  await page.waitForURL(/console/);
  const [project] = await context.sql<[{ id: string }]>`select id from projects`;
  const chats = await context.sql<{ id: string }[]>`select id from chats order by id`;
  return {
    ...patchbay,
    demo,
    page,
    problems,
    projectId: project.id,
    chats: chats.map(({ id }) => id),
    root: `${address}/console/${project.id}/`,
  };
}
