import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/database.ts';
import { addWidget, identitySecret, startWidgetServer } from '../../../test/widget-harness.ts';
import { Invalid } from '../../platform/problem.ts';

const { sql } = await testDatabase({ after });
const server = await startWidgetServer({ after }, sql);

const look = (id: string, headers: Record<string, string> = { origin: 'https://shop.test' }) =>
  server.call('GET', `/widget/${id}/look/`, { headers });

test('a page gets the look of the widget, and none of its secrets', async () => {
  const settings = {
    title: 'Shop',
    greeting: 'Hello!',
    accent: '#aa3355',
    position: 'left',
    theme: 'dark',
    language: 'ru',
  };
  const { id } = await addWidget(server, { ...settings, identity_secret: identitySecret });
  const { status, body, headers } = await look(id);
  assert.deepEqual([status, body], [200, settings]);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  assert.equal(headers.get('vary'), 'origin');
  assert.deepEqual((await look((await addWidget(server)).id)).body, {});
});

test('a page that is not on the list gets nothing, and one of our own is always allowed', async () => {
  const { id } = await addWidget(server, { allowed_origins: 'https://shop.test' });
  assert.equal((await look(id)).status, 200);
  assert.equal((await look(id, {})).status, 200);
  assert.equal((await look(id, { origin: 'https://evil.test' })).status, 403);
  assert.equal((await look(server.context.newId())).status, 404);
});

test('a look that cannot be drawn is refused', async () => {
  const wrong: Record<string, string>[] = [
    { accent: 'red;}' },
    { accent: '#12345' },
    { position: 'top' },
    { language: 'tlh' },
    { title: 'x'.repeat(61) },
  ];
  for (const settings of wrong) {
    await assert.rejects(addWidget(server, settings), (error) => error instanceof Invalid);
  }
});
