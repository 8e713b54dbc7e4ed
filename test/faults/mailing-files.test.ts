import { test } from 'node:test';
import { mailHostileFiles } from './mailing-files.ts';

test('a hostile list ends its mailing with a sentence, and delays no other work', async (t) => {
  const figures = await mailHostileFiles(t, ['gzip of one line', 'another encoding']);
  for (const [what, figure] of Object.entries(figures)) t.diagnostic(`${what}: ${JSON.stringify(figure)}`);
});
