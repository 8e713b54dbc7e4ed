import { test } from 'node:test';
import { mailHostileFiles } from './mailing-files.ts';

test('every hostile list ends its mailing with a sentence, and delays no other work', async (t) => {
  const figures = await mailHostileFiles(t);
  for (const [what, figure] of Object.entries(figures)) t.diagnostic(`${what}: ${JSON.stringify(figure)}`);
});
