import { after, test } from 'node:test';
import {
  assertNobodys,
  furnishWith,
  lookalikeNames,
  ownWords,
  probesWithWords,
  spelledCalls,
} from './letters.ts';
import { startScene } from './scene.ts';

const scene = await startScene({ after });

for (const [index, name] of lookalikeNames.entries()) {
  test(`every way to spell a name of ${name} with a letter that folds into another names nothing`, async () => {
    const own = await furnishWith(scene, name, 3 + index);
    const words = await ownWords(scene, own);
    for (const call of spelledCalls(probesWithWords(scene, own), (all) => all)) {
      await assertNobodys(scene, call, words);
    }
  });
}
