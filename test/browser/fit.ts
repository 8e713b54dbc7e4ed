import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeFindings, paint } from './axe.ts';

/**
 * Axe finds nothing, wide and narrow, light and dark, and nothing overhangs. Pictures go to the folder that the
 * environment names.
 */
export async function isFit(page: Page, name: string): Promise<void> {
  const folder = process.env.PATCHBAY_PICTURES;
  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const scheme of ['dark', 'light'] as const) {
      await paint(page, scheme);
      assert.deepEqual(await axeFindings(page), [], `${name} ${width} ${scheme}`);
      if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${scheme}.png`, fullPage: true });
    }
    const overhang = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.equal(overhang, 0, `${name} is wider than ${width}`);
  }
}
