import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { randomToken, sha256 } from '../../platform/secrets/secret.ts';
import { requirePerson } from './person.ts';

const clock = manualClock();
const context = testContext(await testDatabase({ after }), clock);
const guard = requirePerson(context);
const own = new URL(context.config.publicUrl).origin;

async function signedIn() {
  const [userId, token] = [context.newId(), randomToken()];
  const sessionHash = sha256(token);
  const now = clock.now();
  await context.sql`insert into users (id, email, created_at) values (${userId}, ${`${userId}@x.test`}, ${now})`;
  await context.sql`
    insert into person_sessions (token_hash, user_id, created_at, seen_at)
    values (${sessionHash}, ${userId}, ${now}, ${now})`;
  return { userId, sessionHash, cookie: `theme=dark; __Host-patchbay-session=${token}` };
}

test('a person is admitted from our own pages, with their projects', async () => {
  const { userId, sessionHash, cookie } = await signedIn();
  for (const headers of [{}, { origin: own }, { 'sec-fetch-site': 'same-origin', origin: 'null' }]) {
    const person = await guard.admit({ cookie, ...headers });
    const email = `${userId}@x.test`;
    assert.deepEqual(person, { userId, sessionHash, email, isOwner: false, projects: [] });
  }
});

test('a request without a session, or from a page of another site, is refused', async () => {
  const { cookie } = await signedIn();
  const wrong: [headers: Record<string, string>, status: number][] = [
    [{}, 401],
    [{ cookie: `__Host-patchbay-session=${randomToken()}` }, 401],
    [{ cookie: cookie.replace('__Host-', '') }, 401],
    [{ cookie, origin: 'https://evil.test' }, 403],
    [{ cookie, origin: 'null' }, 403],
    [{ cookie, 'sec-fetch-site': 'cross-site', origin: own }, 403],
    [{ cookie, 'sec-fetch-site': 'same-site' }, 403],
  ];
  for (const [headers, status] of wrong) {
    await assert.rejects(async () => guard.admit(headers), { status }, JSON.stringify(headers));
  }
});
