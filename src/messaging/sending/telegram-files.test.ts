import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { manualClock } from '../../../test/clock.ts';
import { freePort } from '../../../test/free-port.ts';
import { startPatchbay } from '../../../test/harness.ts';
import { signIn } from '../../../test/person.ts';
import { queueFile } from '../../../test/queue-file.ts';
import { seedChat } from '../../../test/seed.ts';
import { zipOf } from '../../../test/stand-ins/workbook.ts';
import { createProject } from '../../access/projects/projects.ts';
import { addChannel } from '../../channels/connected/channels.ts';
import { startHttpApi } from '../../simulator/http-api.ts';
import { startTelegram } from '../../simulator/telegram/provider.ts';

const clock = manualClock();
const port = await freePort();
const telegram = await startTelegram({ after });
const shop = await startHttpApi({ after }, () => ({ status: 404 }));
/** Our own address is private, and not allowed. */
const allowOutbound = [telegram.root, shop.root].map((root) => new URL(root).host);
const config = { port, publicUrl: `http://127.0.0.1:${port}`, allowOutbound };
const patchbay = await startPatchbay({ after }, { clock, config });
const { context, call, address } = patchbay;
const { sql, wake } = context;
const { id: projectId } = await createProject(context, { name: 'Shop' });
const { id: channelId } = await addChannel(context, {
  projectId,
  platform: 'Telegram',
  name: 'Bot',
  settings: { bot_token: '1:files', api_root: telegram.root },
});
const chat = await seedChat(sql, projectId, { channelId, platform: 'Telegram', external_id: '777' });
const olga = await signIn(context, { projectId, role: 'operator', name: 'Olga' });

/** The channel's bucket is empty at the start. */
function sendQueued(): void {
  clock.advance(1_000);
  wake.wake('sending');
}

async function say(message: object): Promise<void> {
  const body = { id: randomUUID(), type: 'document', ...message };
  const { status, body: answer } = await call('POST', `/chat-center/api/chats/${chat}/messages/`, {
    headers: olga.headers,
    body,
  });
  assert.equal(status, 201, JSON.stringify(answer));
  sendQueued();
}

const contentTypes = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml"
ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`);

test('an operator’s .docx reaches a client of Telegram, although Telegram cannot reach our address', async () => {
  const words = { name: 'word/document.xml', data: Buffer.from('<w:document/>') };
  const bytes = zipOf([{ name: '[Content_Types].xml', data: contentTypes }, words]);
  const upload = await fetch(
    `${address}/chat-center/api/attachments/?name=${encodeURIComponent('Договор.docx')}`,
    {
      method: 'POST',
      headers: { ...olga.headers, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    },
  );
  const { uuid, name, type } = JSON.parse(await upload.text());
  assert.equal(name, 'Договор.docx');
  await say({ text: 'To sign', attachment: uuid });
  const { parameters } = await telegram.called(({ method }) => method === 'sendDocument');
  assert.deepEqual(parameters, { chat_id: '777', caption: 'To sign', document: { name, type, bytes } });
});

test('a file that cannot be fetched is UNDELIVERED with its reason, and Telegram is not called', async () => {
  const before = telegram.calls.length;
  const recipient = { projectId, channelId, chat };
  const id = await queueFile(context, recipient, { type: 'document', url: `${shop.root}/list.docx` });
  sendQueued();
  const stateOf = async () =>
    (
      await sql<{ state: string; state_detail: string }[]>`
      select state, state_detail from messages where id = ${id}`
    )[0];
  while (['PENDING', 'IN_PROCESS'].includes((await stateOf())?.state ?? ''));
  const detail = 'The address of the file answered 404.';
  assert.deepEqual({ ...(await stateOf()) }, { state: 'UNDELIVERED', state_detail: detail });
  assert.equal(telegram.calls.length, before);
});
