/**
 * graphile-worker with the bench's delivery as its job: the same call to the same receiver. Its own settings for
 * speed: a local queue, and completion in batches.
 * Arguments: the address of a database, the receiver's address, concurrent jobs. Messages: `{ queue: n }` adds n due
 * jobs, `start` works on them, `stop` ends.
 */
import { randomUUID } from 'node:crypto';
import { makeWorkerUtils, run } from 'graphile-worker';
import { Agent } from 'undici';

const [connectionString, url, concurrentJobs] = process.argv.slice(2);
const concurrency = Number(concurrentJobs);
const { origin, pathname: path } = new URL(url);
const agent = new Agent({ connections: concurrency });
const utils = await makeWorkerUtils({ connectionString });
await utils.migrate();

async function deliver({ uuid, chat, text }) {
  const body = JSON.stringify({
    event_type: 'message',
    payload: {
      message: { uuid, type: 'text', text, url: null, buttons: [] },
      chat: { uuid: chat, external_id: chat },
    },
    timestamp: Date.now(),
  });
  const headers = { 'content-type': 'application/json', 'idempotency-key': uuid };
  const answer = await agent.request({ origin, path, method: 'POST', headers, body });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`the receiver answered ${answer.statusCode}`);
}

const queue = (count) =>
  utils.addJobs(
    Array.from({ length: count }, () => ({
      identifier: 'deliver',
      payload: { uuid: randomUUID(), chat: randomUUID(), text: 'Your order has been shipped.' },
    })),
  );

const start = () =>
  run({
    preset: {
      worker: {
        connectionString,
        concurrentJobs: concurrency,
        maxPoolSize: 10,
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        localQueue: { size: 2 * concurrency },
      },
    },
    taskList: { deliver },
    noHandleSignals: true,
  });

let runner;
process.on('message', async (message) => {
  if (typeof message === 'object') await queue(message.queue);
  if (message === 'start') runner = await start();
  if (message === 'stop') {
    await runner?.stop();
    await utils.release();
    await agent.close();
  }
  process.send({ done: message });
  if (message === 'stop') process.disconnect();
});
process.send({ done: 'ready' });
