// A messenger of your own, connected by API_Messenger: node messenger.mjs. It prints what Patchbay sends to a client,
// confirms that it was delivered, and gives Patchbay whatever is typed as that client's words.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const { CHANNEL_URL = '', SECRET = '', PORT = '4000', TOLERANCE_S = '300' } = process.env;
const key = SECRET.startsWith('whsec_') ? Buffer.from(SECRET.slice(6), 'base64') : Buffer.from(SECRET);

const print = (line) => process.stdout.write(`${line}\n`);
// Patchbay may be busy or restart. It keeps a message that it gets twice only once.
async function tell(path, body) {
  const response = await fetch(`${CHANNEL_URL}${path}/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (response && response.status !== 429 && response.status < 500) return;
  setTimeout(tell, 1_000, path, body);
}

/** Standard Webhooks: one of the signatures must be that of id, timestamp and body. */
function isSigned({ 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' }, body) {
  if (Math.abs(Date.now() / 1000 - Number(at)) > Number(TOLERANCE_S)) return false;
  const expected = Buffer.from(createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64'));
  const given = signatures.split(' ').map((one) => Buffer.from(one.replace(/^v1,/, '')));
  return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

const seen = new Set();
createServer(async (request, response) => {
  const body = Buffer.concat(await Array.fromAsync(request)).toString();
  if (!isSigned(request.headers, body)) return response.writeHead(401).end();
  const { message, chat } = JSON.parse(body).payload;
  // The same message may come twice, always with its uuid.
  if (!seen.has(message.uuid)) print(`to ${chat.external_id}: ${message.text ?? message.url}`);
  seen.add(message.uuid);
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ message_id: message.uuid }));
  await tell('receipts', { message: { uuid: message.uuid }, state: 'delivered' });
}).listen(Number(PORT), () => print('listening'));

let lines = Date.now();
createInterface({ input: process.stdin }).on('line', (text) =>
  tell('messages', {
    chat: { external_id: 'ann', name: 'Ann' },
    message: { external_id: String(lines++), type: 'text', text },
  }),
);
