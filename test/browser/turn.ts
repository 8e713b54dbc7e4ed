import type { Locator } from 'playwright-core';

/**
 * Clicks a switch once it can be turned. The program draws its own slide over the real control, which nobody can hit;
 * a forced click would also reach a switch that is not ready, and do nothing.
 */
export async function turn(control: Locator): Promise<void> {
  const id = await control.getAttribute('id');
  await control.page().locator(`label[for="${id}"]`).first().click();
}
