import { after, test } from 'node:test';
import { assertNobodys, everyOne, furnishWith, lookalikeNames, ownWords, spelledCalls } from './letters.ts';
import { probesOf } from './probes.ts';
import { startScene } from './scene.ts';

const scene = await startScene({ after });

for (const [index, name] of lookalikeNames.entries()) {
  test(`no spelling of a name of ${name} with a letter that folds into another names anything`, async () => {
    const own = await furnishWith(scene, name, 3 + index);
    const words = await ownWords(scene, own);
    for (const call of spelledCalls(probesOf(own, scene.widgetVersion, scene.webhookUrl), everyOne)) {
      await assertNobodys(scene, call, words);
    }
  });
}
