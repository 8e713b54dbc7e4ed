import { after, test } from 'node:test';
import { attackWithNames, everyName, targetOf } from './matrix.ts';
import { probesOf } from './probes.ts';
import { startScene } from './scene.ts';

const scene = await startScene({ after });
const probes = probesOf(scene.alpha, scene.widgetVersion, scene.webhookUrl);

test('whatever one project names of another, everywhere: it is as what nobody has, and nothing changes there', async () =>
  attackWithNames(scene, await targetOf(scene), probes, everyName));
