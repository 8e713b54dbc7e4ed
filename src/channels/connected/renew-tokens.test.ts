import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { seedProject } from '../../../test/seed.ts';
import { startInstagram } from '../../simulator/instagram/provider.ts';
import { addChannel } from './channels.ts';
import { renewTokens } from './renew-tokens.ts';

const clock = manualClock();
const context = testContext(await testDatabase({ after }), clock);
after(() => context.outbound.close());
const account = { id: '1', token: 'a-token', app_secret: 's', verify_token: 'v' };
const meta = await startInstagram({ after }, account);

test('a channel without messages renews its token long before it lapses, and not more often', async () => {
  await addChannel(context, {
    projectId: await seedProject(context.sql),
    platform: 'Instagram',
    name: 'Shop',
    settings: { access_token: 'a-token', app_secret: 's', verify_token: 'v', api_root: meta.root },
  });
  const renewals = () => meta.calls.filter(({ path }) => path.endsWith('/refresh_access_token')).length;
  const before = renewals();
  for (let quarters = 0; quarters < 4 * 120; quarters += 1) {
    await renewTokens(context);
    clock.advance(6 * 3_600_000);
  }
  // Each of them is for sixty days, of which a fifth is left.
  assert.equal(renewals() - before, 3);
});
