import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Lifetime } from '../harness.ts';
import { addRecipients } from './audience.ts';
import { startFileServer } from './file-server.ts';
import { makeHome } from './home.ts';
import { drip, type HostileList, hostileLists } from './hostile-lists.ts';
import { startProgram } from './program.ts';
import { until } from './until.ts';

export type Figures = { tookMs: number; slowestMs: number; addedMiB: number };

const inwards = 'http://10.0.0.1/list.csv';
const askEveryMs = 10;
/** More than a program works on at once. */
const drips = 6;

/**
 * Runs mailings for hostile files one after another, while a neighbour's files drip forever. Checks that each ends
 * with a sentence about the reason, and that no message is sent. Returns three figures for each: its duration, the
 * slowest answer of the API, and the growth of the program's memory in MiB.
 */
export async function mailHostileFiles(lifetime: Lifetime, only?: readonly string[]) {
  const home = await makeHome(lifetime);
  const program = await startProgram(lifetime, home.environment);
  const { call } = program;
  const [partner, neighbour] = [await home.addPartner(lifetime, call), await home.addPartner(lifetime, call)];
  await home.look((sql) => addRecipients(sql, partner, 3));
  const lists = Object.entries(hostileLists()).filter(([what]) => only?.includes(what) ?? true);
  const good = 'external_id\nclient-1\nclient-2\nclient-3\n';
  const files = await startFileServer(lifetime, (request, response) => {
    const [, number = ''] = (request.url ?? '').split('/');
    if (number === 'good') response.end(good);
    else if (number === 'drip') drip(request, response);
    else lists[Number(number)]?.[1].serve(request, response);
  });

  const post = (file: string, { key } = partner): Promise<Answer> =>
    call('POST', '/api/partners/mailings/', {
      headers: key,
      body: {
        name: 'List',
        text: 'Hello',
        customer_filter_field: 'EXTERNAL_ID',
        customer_filter_file: file,
      },
    });
  const create = async (file: string, project = partner): Promise<string> => {
    const { status, body } = await post(file, project);
    assert.equal(status, 201, JSON.stringify(body));
    return body.uuid;
  };
  let slowestMs = 0;
  const read = async (mailing: string): Promise<Answer['body']> => {
    const begun = performance.now();
    const { body } = await call('GET', `/api/partners/mailings/${mailing}/`, { headers: partner.key });
    slowestMs = Math.max(slowestMs, performance.now() - begun);
    return body;
  };
  const end = async (mailing: string): Promise<Answer['body']> => {
    for (;;) {
      const body = await read(mailing);
      if (body.state !== 'planned' && body.state !== 'in_process') return body;
      await pause(askEveryMs);
    }
  };

  assert.equal((await end(await create(`${files}/good`))).statistics.count_sent, 3);
  const dripping: string[] = [];
  for (let count = 0; count < drips; count += 1) dripping.push(await create(`${files}/drip`, neighbour));
  const memory = watchMemory(program.pid);
  const figures: Record<string, Figures> = {};
  const refuse = async (what: string, file: string, refusal: HostileList['refusal']): Promise<void> => {
    slowestMs = 0;
    const begun = performance.now();
    const { state, state_detail, statistics } = await end(await create(file));
    assert.deepEqual([state, statistics.count_planned], ['error', 0], what);
    assert.match(state_detail, refusal, what);
    assert.match(state_detail, /^[A-Z].*\.$/, what);
    figures[what] = {
      tookMs: Math.round(performance.now() - begun),
      slowestMs: Math.round(slowestMs),
      addedMiB: memory.most(),
    };
  };
  const inward = await post(inwards);
  assert.equal(inward.status, 400);
  assert.match(inward.body.customer_filter_file[0], /is not on the public internet/);
  for (const [index, [what, { refusal }]] of lists.entries()) {
    await refuse(what, `${files}/${index}`, refusal);
  }
  memory.stop();
  for (const mailing of dripping) {
    const path = `/api/partners/mailings/${mailing}/stop/`;
    assert.equal((await call('POST', path, { headers: neighbour.key })).body.state, 'stopped');
  }
  await home.look((sql) =>
    until(async () => (await sql`select from mailings where due_at is not null`).length === 0),
  );
  assert.equal((await end(await create(`${files}/good`))).statistics.count_sent, 3);
  assert.deepEqual(program.complaints, []);
  return figures;
}

/** Follows the resident memory of a process. Returns its maximum in MiB above the beginning, since the last call. */
function watchMemory(pid: number): { most(): number; stop(): void } {
  const resident = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  const atFirst = resident();
  let most = atFirst;
  const timer = setInterval(() => {
    most = Math.max(most, resident());
  }, 20);
  return {
    most() {
      const added = Math.round(most - atFirst);
      most = atFirst;
      return added;
    },
    stop: () => clearInterval(timer),
  };
}
