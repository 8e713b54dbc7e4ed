import { test } from 'node:test';
import { checkModel } from './check-model.ts';

test('whatever workers, clients and providers do to 200 messages, each moves as the model says', (t) =>
  checkModel(t, 200));
