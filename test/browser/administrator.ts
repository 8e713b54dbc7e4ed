import type { TestContext } from 'node:test';
import { createUser } from '../../src/access/operators/create-user.ts';
import { createSignInLink } from '../../src/access/operators/sign-in-link.ts';
import { createProject } from '../../src/access/projects/projects.ts';
import { startPatchbay } from '../harness.ts';
import { launchChromium } from './chromium.ts';

/** The console of a new project, with its administrator signed in. `root` is the project's first page. */
export async function startAdministrator(t: TestContext, locale = 'en') {
  const patchbay = await startPatchbay(t);
  const { context, address } = patchbay;
  const { id: projectId } = await createProject(context, { name: 'Shop' });
  const password = 'long enough';
  const user = await createUser(context, { projectId, email: 'ann@shop.test', role: 'admin', password });
  const link = await createSignInLink(context, user.id);
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await (await browser.newContext({ locale })).newPage();
  const problems: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (said) => {
    if (said.type() === 'error') problems.push(said.text());
  });
  await page.goto(address + new URL(link).pathname);
  await page.getByRole('button').first().click();
  await page.waitForURL(/console/);
  return { patchbay, projectId, page, problems, root: `${address}/console/${projectId}/` };
}
