import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Check } from 'typebox/value';
import { clientOver } from '../../../../test/adapter.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { widget } from './adapter.ts';
import { WidgetSettings } from './settings.ts';

const nobodyToCall: Outbound = {
  request: () => assert.fail('the widget has nobody to call'),
  check: () => assert.fail('the widget has nobody to call'),
  addressesOf: () => assert.fail('the widget has nobody to call'),
  close: async () => {},
};

test('a stored message is a sent one: its browsers fetch it', async () => {
  const message = {
    uuid: '0190a1b2-0000-7000-8000-000000000001',
    type: 'text',
    text: 'Hello',
    url: null,
    buttons: [],
    chat: { uuid: '0190a1b2-0000-7000-8000-000000000002', externalId: 'user:ann' },
  } as const;
  const attempt = { now: new Date(), deadline: new AbortController().signal };
  const sent = await widget.send?.({ ...message, buttons: [] }, {}, clientOver(nobodyToCall), attempt);
  assert.deepEqual(sent, { sent: true, providerId: null });
});

test('a widget needs no settings, and a short identity secret is refused', () => {
  assert.ok(Check(WidgetSettings, {}));
  assert.ok(
    Check(WidgetSettings, { allowed_origins: 'https://shop.example', identity_secret: '0123456789abcdef' }),
  );
  assert.ok(!Check(WidgetSettings, { identity_secret: 'short' }));
});
