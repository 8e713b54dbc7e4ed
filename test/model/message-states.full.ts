import { test } from 'node:test';
import { checkModel } from './check-model.ts';

test('200 messages move as the model says under arbitrary workers, clients and providers', (t) =>
  checkModel(t, 200));
