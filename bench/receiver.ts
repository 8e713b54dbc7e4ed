/**
 * A provider, or a partner's webhook receiver, in its own process. It responds 200 to every call after as many
 * milliseconds as its argument says, and 404 at the path `/gone`. It reports to its
 * parent how many calls came between which times. Times are of the system's monotonic clock, in ms, so that the
 * parent can compare them with its own.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const latencyMs = Number(process.argv[2]);
let calls = 0;
let first = 0;
let last = 0;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    last = Number(process.hrtime.bigint()) / 1e6;
    if (calls++ === 0) first = last;
    const status = request.url === '/gone' ? 404 : 200;
    if (latencyMs > 0) setTimeout(answer, latencyMs, response, status);
    else answer(response, status);
  });
});

function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
});

process.on('message', (question) => {
  if (question === 'report') process.send?.({ calls, first, last });
  if (question === 'reset') {
    calls = 0;
    process.send?.({ calls });
  }
});
process.on('disconnect', () => process.exit());
