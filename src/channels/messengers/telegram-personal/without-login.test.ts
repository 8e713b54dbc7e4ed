import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startPatchbay } from '../../../../test/harness.ts';
import { createProject } from '../../../access/projects/projects.ts';
import { addChannel } from '../../connected/channels.ts';

test('a channel without a login is paused with a hint at channel login', async () => {
  const { context } = await startPatchbay({ after });
  const { id: projectId } = await createProject(context, { name: 'Shop' });
  const { id } = await addChannel(context, {
    projectId,
    platform: 'Telegram_Personal',
    name: 'Olga',
    settings: { api_id: '1', api_hash: '0123456789abcdef0123456789abcdef', phone: '+79990000000' },
  });
  context.wake.wake('channels');
  const paused = async () => {
    const [row] = await context.sql<{ state_detail: string }[]>`
      select state_detail from channels where id = ${id} and state = 'paused'`;
    return row;
  };
  let row = await paused();
  while (!row) row = await paused();
  assert.match(row.state_detail, /patchbay channel login/);
});
