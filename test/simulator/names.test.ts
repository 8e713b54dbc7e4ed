import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshClient } from '../../src/channels/connected/client.ts';
import { readSettings } from '../../src/channels/connected/settings.ts';
import { adapterFor } from '../../src/channels/registry.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { testOutbound } from '../outbound.ts';

const simulator = await startSimulator({ port: 0, host: '127.0.0.1', memoryFile: null });
after(() => simulator.stop());
const outbound = testOutbound({ after });

for (const provider of simulator.providers.values()) {
  const { player } = provider;
  const adapter = adapterFor(player.platform);
  const { namesOf } = adapter;
  if (!namesOf) continue;

  test(`${player.platform}: the provider tells each client’s own name, as their phone shows it`, async () => {
    const settings = readSettings(adapter.settings, player.settings);
    for (const number of [1, 2, 13]) {
      const { person, address } = provider.open(number);
      const names = await namesOf(address, settings, freshClient(adapter, settings, outbound));
      assert.equal(names.name, person.name);
      if (names.username !== undefined) assert.equal(names.username, person.username);
    }
  });
}
