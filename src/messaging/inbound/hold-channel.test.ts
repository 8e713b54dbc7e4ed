import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { testContext } from '../../../test/context.ts';
import { testDatabase } from '../../../test/database.ts';
import { whatsappAccount as account } from '../../../test/whatsapp-account.ts';
import { createProject } from '../../access/projects/projects.ts';
import { addChannel, loadChannel } from '../../channels/connected/channels.ts';
import { startWhatsapp } from '../../simulator/whatsapp/provider.ts';
import { holdChannel } from './hold-channel.ts';

const context = testContext(await testDatabase({ after }), manualClock());
const meta = await startWhatsapp({ after }, account);

test('the end of the work on a channel does not wait for a provider that hangs', async () => {
  const { id: projectId } = await createProject(context, { name: 'Shop' });
  const settings = { ...account, api_root: meta.root };
  const { id } = await addChannel(context, { projectId, platform: 'Whatsapp', name: 'Shop', settings });
  const channel = await loadChannel(context, id);
  assert.ok(channel);
  const asked = Promise.withResolvers<void>();
  meta.react(({ path }) => {
    if (!path.endsWith('/message_templates')) return null;
    asked.resolve();
    return new Promise(() => {});
  });
  const work = new AbortController();
  const cursor = { project_id: projectId, channel_id: id, cursor: null };
  const held = { context, connections: new Map(), cursor, holder: 'us', signal: work.signal };
  const ended = holdChannel(channel, held);
  await asked.promise;
  work.abort();
  await ended;
});
