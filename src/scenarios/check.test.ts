import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { pino } from 'pino';
import { createOutbound } from '../platform/outbound/outbound.ts';
import { checkScenario } from './check.ts';

const log = pino({ level: 'silent' });
const context = {
  outbound: createOutbound({ allow: [], log }),
  config: { publicUrl: 'http://127.0.0.1:3000' },
};
after(() => context.outbound.close());
const complaintsAbout = async (value: unknown) => (await checkScenario(context, value)).complaints;
const hello = { id: 'hello', type: 'message', text: 'Hello' };

test('every complaint points to its place in the file', async () => {
  const cases: [value: unknown, pointers: string[]][] = [
    [{ steps: [hello] }, ['/name']],
    [{ name: 'A', steps: [hello, { id: '0', type: 'dance' }] }, ['/steps/1/type']],
    [{ name: 'A', start: 'b', steps: [hello] }, ['/start']],
    [{ name: 'A', steps: [hello, { id: '0', type: 'ask' }] }, ['/steps/1/text']],
    [{ name: 'A', steps: [hello, hello] }, ['/steps/1/id']],
    [
      { name: 'A', steps: [{ ...hello, buttons: [{ text: 'x' }, { text: 'y', next: 'no' }] }] },
      ['/steps/0/buttons/1/next'],
    ],
    [
      {
        name: 'A',
        steps: [hello, { id: 'call', type: 'request', url: 'https://a.test', keep: { 'a/b.c': 'x' } }],
      },
      ['/steps/1/keep/a~1b.c'],
    ],
    [{ name: 'A', steps: [{ id: 'w', type: 'wait' }] }, ['/steps/0']],
    [[], ['']],
  ];
  for (const [value, expected] of cases) {
    const pointers = (await complaintsAbout(value)).map(({ pointer }) => pointer);
    assert.deepEqual(pointers, expected, JSON.stringify(value));
  }
});

test('a valid scenario lists the objects that it names', async () => {
  const { complaints, uses } = await checkScenario(context, {
    name: 'A',
    steps: [
      { ...hello, text: '{{promocode:Spring}}' },
      { id: 'on', type: 'goto', scenario: 'B' },
    ],
  });
  assert.deepEqual(complaints, []);
  assert.deepEqual(uses, {
    promocode_groups: ['Spring'],
    scenarios: ['B'],
    attributes: [],
    tags: [],
    audiences: [],
  });
});

const notPublic = (host: string) => `The host ${host} is not on the public internet.`;
const malformed = 'Enter a valid URL.';

test('an address that no run can call is a complaint, without asking a name server', async () => {
  const cases: [address: string, complaint: string | null][] = [
    ['http://169.254.169.254/latest/{{x}}', notPublic('169.254.169.254')],
    ['http://10.0.0.1/', notPublic('10.0.0.1')],
    ['http://[::1]/?x={{x}}', notPublic('::1')],
    ['http://0x7f.1/', notPublic('127.0.0.1')],
    ['https://localhost/{{x}}', notPublic('localhost')],
    ['http://127.0.0.1:3000/console/', notPublic('127.0.0.1')],
    ['https://', malformed],
    ['https:///orders', malformed],
    ['https://shop test/{{x}}', malformed],
    ['https://shop.test:99999/{{x}}', malformed],
    ['https://ann:secret@shop.test/{{x}}', 'The address may not contain a user name or a password.'],
    ['https://shop.test/{{x}}?y={{ y }}', null],
    ['https://shop.test', null],
    ['{{address}}', null],
    ['{{address}}/orders', null],
    ['https://{{host}}/orders', null],
    ['https://10.0.0.{{x}}/orders', null],
  ];
  for (const [url, complaint] of cases) {
    const steps = [{ id: 'call', type: 'request', url }];
    const expected = complaint === null ? [] : [{ pointer: '/steps/0/url', message: complaint }];
    assert.deepEqual(await complaintsAbout({ name: 'A', steps }), expected, url);
  }
});

test('the address of a picture or a file follows the same rule, except for files of this service', async () => {
  for (const field of ['image', 'document']) {
    const cases: [address: string, complaint: string | null][] = [
      ['http://10.0.0.1/a.png', notPublic('10.0.0.1')],
      ['http://127.0.0.1:3000/console/', notPublic('127.0.0.1')],
      ['a.png', malformed],
      ['http://127.0.0.1:3000/files/x/a.png', null],
      ['https://shop.test/{{x}}.png', null],
      ['{{picture}}', null],
    ];
    for (const [address, complaint] of cases) {
      const steps = [{ id: 'show', type: 'message', [field]: address }];
      const expected = complaint === null ? [] : [{ pointer: `/steps/0/${field}`, message: complaint }];
      assert.deepEqual(await complaintsAbout({ name: 'A', steps }), expected, address);
    }
  }
});
