import { test } from 'node:test';
import { checkModel } from '../model/check-model.ts';

test('1,000 messages to which everything happens move as the model says', (t) => checkModel(t, 1_000));
