import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Violation = { id: string; nodes: { target: string[]; failureSummary: string }[] };

const run = `axe.run(document, {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}).then(({ violations }) => violations)`;

/** What axe finds on the page against WCAG 2.2 AA, each with its rule and its first place. */
export async function axeFindings(page: Pick<Page, 'evaluate'>): Promise<string[]> {
  await page.evaluate(axe);
  const violations = await page.evaluate<Violation[]>(run);
  return violations.map(({ id, nodes }) => {
    const [first] = nodes;
    const why = first?.failureSummary.split('\n').slice(1, 3).join(' ');
    return `${id}, ${nodes.length} times, first at ${first?.target.join(' ')}: ${why}`;
  });
}
