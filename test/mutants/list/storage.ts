import type { Area } from '../mutation.ts';

const gateway = ['src/storage/gateway.test.ts'];
const turns = ['src/storage/gateway-turns.test.ts'];
const pages = ['src/lib/nearer-end.test.ts'];
const lists = ['src/profiles/list.test.ts'];
const counts = ['src/storage/row-counts.test.ts'];
const batch = ['src/lib/batch.test.ts'];

export const storage: Area = {
  name: 'storage',
  mutations: [
    {
      name: 'a client that does not read is asked for more',
      file: 'src/storage/gateway.ts',
      find: 'if (client.queued || idle || client.socket.writableNeedDrain) return;',
      replace: 'if (client.queued || idle) return;',
      tests: [...gateway, ...turns],
    },
    {
      name: 'a client that reads again is not served on',
      file: 'src/storage/gateway.ts',
      find: "    socket.on('drain', () => enqueue(client));\n",
      replace: '',
      tests: [...gateway, ...turns],
    },
    {
      name: 'a client’s requests are read without end',
      file: 'src/storage/gateway.ts',
      find: 'if (client.waitingBytes > maxWaitingBytes) client.socket.pause();',
      replace: '',
      tests: [...gateway, ...turns],
    },
    {
      name: 'a client that was not read is never read again',
      file: 'src/storage/gateway.ts',
      find: 'if (client.waitingBytes <= maxWaitingBytes) client.socket.resume();',
      replace: '',
      tests: [...gateway, ...turns],
    },
    {
      name: 'another client gets into a transaction',
      file: 'src/storage/gateway.ts',
      find: 'if (!holder) return queue.shift();',
      replace: 'if (!holder || queue.length > 1) return queue.shift();',
      tests: gateway,
    },
    {
      name: 'a transaction is over when it has failed',
      file: 'src/storage/gateway.ts',
      find: "hold(client, status !== 'I');",
      replace: "hold(client, status === 'T');",
      tests: gateway,
    },
    {
      name: 'a client that goes away leaves its transaction open',
      file: 'src/storage/gateway.ts',
      find: 'farewell(names, client === holder)',
      replace: 'farewell(names, client !== holder)',
      tests: gateway,
    },
    {
      name: 'an idle transaction that nobody waits for is ended',
      file: 'src/storage/gateway.ts',
      find: 'if (queue.length === 0) hold(client, true);',
      replace: 'if (queue.length < 0) hold(client, true);',
      tests: turns,
    },
    {
      name: 'an idle transaction keeps others waiting for ever',
      file: 'src/storage/gateway.ts',
      find: 'if (queue.length === 0) hold(client, true);',
      replace: 'if (queue.length >= 0) hold(client, true);',
      tests: turns,
    },
    {
      name: 'a large answer comes without its end',
      file: 'src/storage/gateway.ts',
      find: '    if (size > 0) passOn();\n',
      replace: '',
      tests: gateway,
    },
    {
      name: 'a large batch is served in one turn',
      file: 'src/storage/gateway.ts',
      find: "unit.kind !== 'sync' || index === maxBatchUnits",
      replace: "unit.kind !== 'sync'",
      tests: turns,
    },
    {
      name: 'a page is looked for from the farther end',
      file: 'src/lib/nearer-end.ts',
      find: 'if (offset * 2 < count)',
      replace: 'if (offset * 2 > count)',
      tests: pages,
    },
    {
      name: 'the last page has rows of the one before',
      file: 'src/lib/nearer-end.ts',
      find: 'Math.max(0, limit + Math.min(0, older))',
      replace: 'limit',
      tests: pages,
    },
    {
      name: 'a page from the oldest end begins at the newest',
      file: 'src/storage/page.ts',
      find: 'fromOldest ? sql`asc` : sql`desc`',
      replace: 'fromOldest ? sql`desc` : sql`asc`',
      tests: lists,
    },
    {
      name: 'rows of every project are counted',
      file: 'src/storage/row-counts.ts',
      find: 'where project_id = ${projectId} and table_name',
      replace: 'where table_name',
      tests: counts,
    },
    {
      name: 'rows of every part are counted',
      file: 'src/storage/row-counts.ts',
      find: ' and part = ${part}`;',
      replace: '`;',
      tests: [...counts, ...lists],
    },
    {
      name: 'a violation of any constraint is the one that is asked for',
      file: 'src/storage/unique-violation.ts',
      find: 'error.constraint === key',
      replace: 'error.constraint !== undefined',
      tests: ['src/profiles/update.test.ts', 'src/promocodes/codes.test.ts'],
    },
    {
      name: 'a failed flush fails the calls that wait for the next',
      file: 'src/lib/batch.ts',
      find: 'failsAll(error) ? [...batch, ...waiting.splice(0)] : batch',
      replace: '!failsAll(error) ? [...batch, ...waiting.splice(0)] : batch',
      tests: batch,
    },
    {
      name: 'a flush has one item too many',
      file: 'src/lib/batch.ts',
      find: 'waiting = waiting.slice(max);',
      replace: 'waiting = waiting.slice(max - 1);',
      tests: batch,
    },
    {
      name: 'more flushes are under way than may be',
      file: 'src/lib/batch.ts',
      find: 'underWay >= concurrency',
      replace: 'underWay > concurrency',
      tests: batch,
    },
  ],
};
