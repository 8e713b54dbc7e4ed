import { after, test } from 'node:test';
import { manualClock } from '../clock.ts';
import { startPatchbay } from '../harness.ts';
import { sendBesideTrouble, sendBesideTroubleAtOneHost } from './beside-trouble.ts';
import { sendInTrouble, silent } from './provider.ts';

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock });

for (const [name, trouble] of Object.entries(silent)) {
  test(`a message to a provider that ${name} becomes ${trouble.becomes} after its timeout`, (t) =>
    sendInTrouble(t, patchbay, clock, trouble));
}

test('channels in trouble with all their places taken do not delay a healthy one', async (t) => {
  t.diagnostic(JSON.stringify(await sendBesideTrouble(t, patchbay, 100)));
});

test('eight channels in trouble, with all their places taken, do not delay another at the same host', async (t) => {
  t.diagnostic(
    JSON.stringify(await sendBesideTroubleAtOneHost(t, patchbay, { messages: 400, sickChannels: 8 })),
  );
});
