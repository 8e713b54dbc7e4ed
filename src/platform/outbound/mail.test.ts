import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { startMailServer } from '../../../test/stand-ins/mail-server.ts';
import { MailFailed, sendMail } from './mail.ts';

/** A server that offers STARTTLS, and disconnects where TLS should begin. */
async function startOffering(t: TestContext) {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer(async (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write('220 stand-in\r\n');
    for await (const line of createInterface({ input: socket })) {
      heard.push(line.split(' ')[0] ?? '');
      if (/^EHLO/i.test(line)) socket.write('250-stand-in\r\n250-STARTTLS\r\n250 AUTH PLAIN\r\n');
      else if (/^STARTTLS/i.test(line)) {
        socket.write('220 go on\r\n');
        return void socket.end('no handshake');
      } else socket.write('250 fine\r\n');
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address !== 'string');
  return { heard, url: `smtp://user:secret@127.0.0.1:${address.port}` };
}

const mail = { to: 'ann@shop.test', subject: 'Hello', text: 'Hello' };

test('mail uses STARTTLS when the server offers it, and is not sent when that fails', async (t) => {
  const { heard, url } = await startOffering(t);
  await assert.rejects(sendMail({ url, from: 'a@shop.test' }, mail), MailFailed);
  assert.deepEqual(
    heard.filter((word) => word !== 'EHLO'),
    ['STARTTLS'],
  );
});

test('a failure says whether the server may have the mail', async (t) => {
  const server = await startMailServer(t);
  const failure = (url: string) =>
    sendMail({ url, from: 'a@shop.test' }, mail).then(
      () => 'sent',
      (error) => error instanceof MailFailed && error.mayHaveArrived,
    );
  assert.equal(await failure(server.url), 'sent');
  server.refuse(true);
  assert.equal(await failure(server.url), false);
  server.refuse(false);
  server.hangUp(true);
  assert.equal(await failure(server.url), true);
  const { url } = await startOffering(t);
  assert.equal(await failure(url), false);
  assert.equal(await failure('smtp://127.0.0.1:1'), false);
});
