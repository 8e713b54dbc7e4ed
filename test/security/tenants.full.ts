import { after, test } from 'node:test';
import { attackWithNames, everyName, targetOf } from './matrix.ts';
import { probesOf } from './probes.ts';
import { startScene } from './scene.ts';

const scene = await startScene({ after });
const probes = probesOf(scene.alpha, scene.widgetVersion, scene.webhookUrl);

test('every name of another project is as unknown as a random one, on every route, and nothing changes there', async () =>
  attackWithNames(scene, await targetOf(scene), probes, everyName));
