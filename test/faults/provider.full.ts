import { after, test } from 'node:test';
import { manualClock } from '../clock.ts';
import { startPatchbay } from '../harness.ts';
import { sendBesideTrouble, sendBesideTroubleAtOneHost } from './beside-trouble.ts';
import { answered, sendInTrouble } from './provider.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });

for (const [name, trouble] of Object.entries(answered)) {
  test(`a message to a provider that ${name} becomes ${trouble.becomes}`, (t) =>
    sendInTrouble(t, patchbay, clock, trouble));
}

test('channels in trouble do not delay a healthy one', async (t) => {
  t.diagnostic(JSON.stringify(await sendBesideTrouble(t, patchbay, 20)));
});

test('a channel in trouble does not delay another at the same host', async (t) => {
  t.diagnostic(
    JSON.stringify(await sendBesideTroubleAtOneHost(t, patchbay, { messages: 20, sickChannels: 1 })),
  );
});
