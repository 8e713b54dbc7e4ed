import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presentMessageUpdated } from './present.ts';

test('the reason why a scenario had nothing to send is the state’s detail, and not a text to the client', () => {
  const chat = {
    id: 'chat',
    platform: 'Widget',
    name: null,
    phone: null,
    avatar: null,
    profile_id: 'profile',
  } as const;
  const message = {
    id: 'message',
    content_type: 'nothing',
    content: { text: 'A reason.' },
    external_id: null,
  };
  const state = { code: 'ERROR', detail: 'A reason.' };
  const told = presentMessageUpdated({ chat, message, session: null }, state).message;
  assert.deepEqual(JSON.parse(JSON.stringify(told)), {
    uuid: 'message',
    type: 'text',
    external_id: null,
    state,
  });
});
