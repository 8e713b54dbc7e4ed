import { test } from 'node:test';
import { checkModel } from '../model/check-model.ts';

test('1,000 messages move as the model says under arbitrary events', (t) => checkModel(t, 1_000));
