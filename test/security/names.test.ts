import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createApplication } from '../../src/access/oauth/applications.ts';
import { createBotKey } from '../../src/access/projects/bot-keys.ts';
import { createProject } from '../../src/access/projects/projects.ts';
import { addChannel } from '../../src/channels/connected/channels.ts';
import { Invalid, messages } from '../../src/platform/problem.ts';
import { createPartner, startPatchbay } from '../harness.ts';

/** The command line makes things as the console does. Their names are shown in terminals, mails and logs. */

const patchbay = await startPatchbay({ after }, { config: { roles: ['api'] } });
const { context } = patchbay;
const { projectId } = await createPartner({ after }, patchbay);

const settings = { allowed_origins: 'https://shop.test' };
const making: { [thing: string]: (name: string) => Promise<unknown> } = {
  project: (name) => createProject(context, { name }),
  'bot key': (name) => createBotKey(context, { projectId, name }),
  application: (name) => createApplication(context, { name, redirectUris: ['https://crm.test/'] }),
  channel: (name) => addChannel(context, { projectId, platform: 'Widget', name, settings }),
};

for (const [thing, make] of Object.entries(making)) {
  test(`the name of a ${thing} is one line without characters that command a terminal or change the direction of text`, async () => {
    const refused = (name: string) =>
      make(name).then(
        () => null,
        (error: unknown) => {
          assert.ok(error instanceof Invalid, String(error));
          return error.fields;
        },
      );
    const hostile = [
      'a\u001b]0;title\u0007',
      'two\nlines',
      'a\u009b2J',
      'a\0b',
      'a\u202egpj.exe',
      '\u2067a\u2069',
    ];
    for (const name of [...hostile, 'a'.repeat(256)]) assert.ok(await refused(name), JSON.stringify(name));
    assert.deepEqual(await refused(''), { name: [messages.blank] });
    for (const name of ['Ёлка & Söhne 日本', 'שלום\u200f!']) assert.equal(await refused(name), null);
  });
}
