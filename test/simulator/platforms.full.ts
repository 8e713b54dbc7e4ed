import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { channelAddress, listChannels } from '../../src/channels/connected/channels.ts';
import { accountOf } from '../../src/channels/connected/check.ts';
import { freshClient } from '../../src/channels/connected/client.ts';
import { platforms } from '../../src/channels/contract/platforms.ts';
import { adapterFor } from '../../src/channels/registry.ts';
import { addSimulated } from '../../src/cli/add-simulated.ts';
import { importScenario } from '../../src/scenarios/import.ts';
import { setStarters } from '../../src/scenarios/starters.ts';
import { bytesOf } from '../../src/simulator/files.ts';
import { startHttpApi } from '../../src/simulator/http-api.ts';
import type { Bubble, Phone } from '../../src/simulator/phone.ts';
import type { Said, SaidKind } from '../../src/simulator/player.ts';
import type { Provider } from '../../src/simulator/provider.ts';
import { startSimulator } from '../../src/simulator/simulator.ts';
import { found, startScene } from './scene.ts';

const { simulator, patchbay, partner, added } = await startScene({ after });
const { context, call } = patchbay;
const { sql } = context;
const { projectId, key } = partner;
const providers = [...simulator.providers.values()];

const tellsOfReturn = new Set<string>(['Telegram', 'Viber', 'Vkontakte']);

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/p7iVNgAAAABJRU5ErkJggg==',
  'base64',
);
const shop = await startHttpApi({ after }, ({ path }) => {
  const isPicture = path.endsWith('.png');
  const headers = { 'content-type': isPicture ? 'image/png' : 'text/plain' };
  return { status: 200, body: isPicture ? png : Buffer.from('Price list'), headers };
});
const pictureAndFile = [
  { id: 'picture', type: 'message', image: `${shop.root}/tea.png`, next: 'list' },
  { id: 'list', type: 'message', document: `${shop.root}/prices.txt`, next: 'end' },
  { id: 'end', type: 'message', text: 'Bye.' },
];
const buttons = [
  { text: 'Yes', payload: 'yes', next: 'picture' },
  { text: 'No', payload: 'no', next: 'end' },
];
const scenarios = {
  ask: [{ id: 'ask', type: 'message', text: 'Tea?', buttons }, ...pictureAndFile],
  show: pictureAndFile,
};
for (const [name, steps] of Object.entries(scenarios)) {
  await importScenario(context, { projectId, file: Buffer.from(JSON.stringify({ name, steps })) });
}
await setStarters(
  context,
  projectId,
  Object.keys(scenarios).map((scenario) => ({ keyword: scenario, scenario })),
);

const bubbleIn = (phone: Phone, isMeant: (bubble: Bubble) => boolean): Promise<Bubble> =>
  found(async () => phone.bubbles.find(isMeant));

async function write(provider: Provider, phone: Phone, said: Said): Promise<void> {
  // Such a channel hears nothing of the time before its first connection.
  if (provider.player.learnt || provider.part === 'email')
    await found(async () => provider.player.addresses()[0]);
  await provider.say(phone, said);
  const last = phone.bubbles.findLast(({ direction }) => direction === 'out');
  assert.equal(last?.state, 'accepted', `${provider.part}: ${last?.detail}`);
}

type Heard = { id: string; chat_id: string; content_type: string; content: { text?: string; url?: string } };

/** The client's message that is the first with these words or a file, after those that are known. */
const heard = (provider: Provider, known: number): Promise<Heard> =>
  found(async () => {
    const rows = await sql<Heard[]>`
      select messages.id, chat_id, content_type, content from messages
      join channels on channels.id = messages.channel_id
      where channels.platform = ${provider.player.platform} and channels.name like '%simulated'
        and direction = 'in'
      order by messages.id`;
    return rows[known];
  });

const countHeard = async (provider: Provider): Promise<number> =>
  (
    await sql`
      select messages.id from messages join channels on channels.id = messages.channel_id
      where channels.platform = ${provider.player.platform} and channels.name like '%simulated'
        and direction = 'in'`
  ).length;

async function push(chat: string, text: string): Promise<string> {
  const { status, body } = await call('POST', '/api/partners/push-messages/', {
    headers: key,
    body: { chat: { uuid: chat }, content: { type: 'TEXT', text }, is_force: true },
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.uuid;
}

const reaches = (id: string, state: string): Promise<object> =>
  found(async () => (await sql`select id from messages where id = ${id} and state = ${state}`)[0]);

const named = (provider: Provider, name: string): Promise<object> =>
  found(
    async () =>
      (
        await sql`
          select chats.id from chats join channels on channels.id = chats.channel_id
          where channels.platform = ${provider.player.platform} and channels.name like '%simulated'
            and chats.name = ${name}`
      )[0],
  );

/** A person reads only what is there, and some receipts count up to the last message. */
async function readOnceSent(provider: Provider, phone: Phone, id: string): Promise<void> {
  await found(
    async () => (await sql`select id from messages where id = ${id} and state in ('SENT', 'DELIVERED')`)[0],
  );
  await provider.read(phone);
  // Avito reports nothing, and is asked from time to time.
  if (provider.player.receipts.includes('read') && provider.part !== 'avito') await reaches(id, 'READ');
}

const clientFile = (kind: SaidKind) => {
  const bytes = kind === 'image' ? png : Buffer.from('We agree.');
  const [name, type] = kind === 'image' ? ['view.png', 'image/png'] : ['contract.txt', 'text/plain'];
  return { id: `file-${kind}`, name, type, bytes };
};

/** What a person can send here beside text and presses, with the words or the bytes by which it is found. */
async function saidOf(kind: SaidKind): Promise<{ said: Said; bytes: Buffer | null; words: RegExp }> {
  if (kind === 'place') {
    return { said: { kind, latitude: 55.75, longitude: 37.62 }, bytes: null, words: /55\.75, 37\.62/ };
  }
  if (kind === 'contact') return { said: { kind }, bytes: null, words: /79990000001/ };
  if (kind !== 'image' && kind !== 'file' && kind !== 'voice') return assert.fail();
  const file = clientFile(kind);
  const disk = await startHttpApi({ after }, () => ({
    status: 200,
    body: file.bytes,
    headers: { 'content-type': file.type },
  }));
  const url = `${disk.root}/${file.name}`;
  return { said: { kind, file: { ...file, url }, text: '' }, bytes: file.bytes, words: /^/ };
}

async function served(url: string): Promise<string> {
  const answer = await found(async () => {
    const tried = await fetch(url.replace(context.config.publicUrl, patchbay.address));
    return tried.status === 200 ? tried : undefined;
  });
  return Buffer.from(await answer.arrayBuffer()).toString('base64');
}

test('channels are added once, and only while a simulator answers', async () => {
  const again = await addSimulated(context, projectId, simulator.address);
  assert.deepEqual(
    again.filter(({ uuid, problem }) => uuid !== null || problem !== null),
    [],
  );
  await assert.rejects(addSimulated(context, projectId, 'http://127.0.0.1:1'), /No simulator answers/);
});

test('every platform is simulated, but for the one that is a page of ours', () => {
  const simulated: string[] = added.map(({ platform }) => platform);
  assert.deepEqual(
    platforms.filter((platform) => !simulated.includes(platform)),
    ['Widget'],
  );
});

function testPlatform(provider: Provider): void {
  const { player } = provider;
  const { platform } = player;
  const phone = provider.open(1);
  provider.setReading(phone, false);

  test(`${platform}: a client writes, the answer reaches the phone, and its receipts come back`, async () => {
    await write(provider, phone, { kind: 'text', text: 'Good morning!' });
    const { chat_id, content } = await heard(provider, 0);
    assert.match(content.text ?? '', /Good morning!/);
    const id = await push(chat_id, 'On its way.');
    const bubble = await bubbleIn(phone, ({ text }) => text === 'On its way.');
    assert.equal(bubble.direction, 'in');
    await readOnceSent(provider, phone, id);
  });

  // Ozon tells no names of clients.
  if (platform !== 'Ozon') {
    test(`${platform}: a chat has the name that its phone shows`, async () => {
      const other = provider.open(2);
      provider.setReading(other, false);
      const before = await countHeard(provider);
      await write(provider, other, { kind: 'text', text: 'It is me.' });
      await heard(provider, before);
      for (const { person } of [phone, other]) await named(provider, person.name);
    });
  }

  test(`${platform}: everything that a client can send arrives`, async () => {
    for (const kind of player.says.filter((known) => known !== 'text' && known !== 'press')) {
      const before = await countHeard(provider);
      const { said, bytes, words } = await saidOf(kind);
      await write(provider, phone, said);
      const { content } = await heard(provider, before);
      assert.match(content.text ?? '', words, kind);
      if (bytes) assert.equal(await served(content.url ?? ''), bytes.toString('base64'), kind);
    }
  });

  test(`${platform}: buttons can be pressed, pictures and files arrive`, async () => {
    const hasButtons = player.says.includes('press');
    await write(provider, phone, { kind: 'text', text: hasButtons ? 'ask' : 'show' });
    if (hasButtons) {
      const asked = await bubbleIn(phone, ({ text }) => text.startsWith('Tea?'));
      const button = asked.buttons.find(({ label }) => label === 'Yes');
      assert.ok(button && 'press' in button);
      await write(provider, phone, { kind: 'press', label: 'Yes', press: button.press, message: asked.id });
      if (player.awaitsAnswers) await bubbleIn(phone, ({ isAnswered }) => isAnswered === true);
    }
    const shown = async (kind: string) => {
      const { files } = await bubbleIn(
        phone,
        ({ direction, files: some }) => direction === 'in' && some[0]?.kind === kind,
      );
      const kept = simulator.files.find(files[0]?.id ?? '');
      return (kept && (await bytesOf(kept)))?.bytes.toString('base64');
    };
    assert.equal(await shown('image'), png.toString('base64'));
    if (platform !== 'Avito' && platform !== 'Auto_Ru') {
      assert.equal(await shown('file'), Buffer.from('Price list').toString('base64'));
    }
  });

  if (!player.block) return;
  test(`${platform}: a client who blocks the channel gets nothing more, and says so by themselves`, async () => {
    const { chat_id } = await heard(provider, 0);
    await provider.block(phone, true);
    const id = await push(chat_id, 'Still there?');
    await reaches(id, 'UNDELIVERED');
    await provider.block(phone, false);
    assert.ok(phone.bubbles.every(({ text }) => text !== 'Still there?'));
    if (tellsOfReturn.has(platform)) await reaches(await push(chat_id, 'There you are.'), 'SENT');
    await write(provider, phone, { kind: 'text', text: 'I am back.' });
    await readOnceSent(provider, phone, await push(chat_id, 'Welcome back.'));
  });
}

// A platform's tests follow each other. They wait for pauses and uploads, so platforms are tested side by side.
test('the guide’s check accepts the credentials of every simulated account', async () => {
  const { open } = await listChannels(context);
  for (const channel of open) {
    const adapter = adapterFor(channel.platform);
    const { refusal } = await accountOf(context, adapter, channel);
    assert.equal(refusal, null, channel.platform);
  }
});

const tellsRegistration = new Set<string>([
  'Avito',
  'Facebook',
  'Instagram',
  'Telegram',
  'Viber',
  'Vkontakte',
  'Whatsapp',
]);

test('a simulated account says that its channel’s address is registered, also after a restart', async (t) => {
  const restarted = await startSimulator({ port: 0, host: '127.0.0.1', memoryFile: null });
  t.after(() => restarted.stop());
  const { open } = await listChannels(context);
  const asked = open.filter(({ platform }) => tellsRegistration.has(platform));
  assert.equal(asked.length, tellsRegistration.size);
  for (const channel of asked) {
    const { standing } = adapterFor(channel.platform);
    const before = providers.find(({ player }) => player.platform === channel.platform);
    const after = before && restarted.providers.get(before.part);
    assert.ok(standing && before && after);
    after.player.registration.set(before.player.registration.get());
    const address = channelAddress(context.config.publicUrl, channel);
    for (const { api_root } of [channel.settings, after.player.settings]) {
      const settings = { ...channel.settings, api_root };
      const client = freshClient(adapterFor(channel.platform), settings, context.outbound);
      const { isRegistered } = await standing(settings, address, client, context.clock.now());
      assert.equal(isRegistered, true, `${channel.platform} at ${api_root}`);
    }
  }
});

suite('end to end', { concurrency: 4 }, () => {
  for (const provider of providers) suite(provider.part, { concurrency: 1 }, () => testPlatform(provider));
});
