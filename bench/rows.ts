import { accept, acceptTogether } from './accept.ts';
import { deliver } from './deliver.ts';
import { floor } from './floor.ts';
import { idle } from './idle.ts';
import { kill } from './kills.ts';
import { liveFeed } from './live-feed.ts';
import { looks } from './looks.ts';
import { drain, plan, readCsv } from './mailing.ts';
import { neighbour } from './neighbour.ts';
import { pages } from './pages.ts';
import { type Receiver, type Storage, startReceiver } from './processes.ts';
import { generateCodes } from './promocodes.ts';
import { receive } from './receive.ts';
import { scenarios } from './scenarios.ts';
import { webhooks } from './webhooks.ts';

export type Row = { row: string; database: string; ours: string; bare: string; ratio: string; goal: string };

/** Every measured program gets storage of its own: what one leaves waiting would be sent by the next. */
export type Fresh = () => Promise<Storage>;

const million = 1_000_000;
const met = (isMet: boolean): string => (isMet ? 'met' : 'missed');
const perSecond = (rate: number): string => `${Math.round(rate).toLocaleString('en')} /s`;
const milliseconds = (ms: number): string => `${ms.toFixed(1)} ms`;
const megabytes = (mb: number): string => `${Math.round(mb)} MB`;

function compared(row: string, storage: Storage, figures: { ours: number; bare: number }, goal: number): Row {
  const ratio = figures.ours / figures.bare;
  return {
    row,
    database: storage.name,
    ours: perSecond(figures.ours),
    bare: perSecond(figures.bare),
    ratio: ratio.toFixed(2),
    goal: `≥ ${goal} ${ratio >= goal ? 'met' : 'missed'}`,
  };
}

/** Times, where less is better. */
const took = (row: string, storage: Storage, times: { ours: number; bare: number }, most: number): Row => {
  const ratio = times.ours / times.bare;
  return {
    row,
    database: storage.name,
    ours: `${times.ours.toFixed(1)} s`,
    bare: `${times.bare.toFixed(1)} s`,
    ratio: ratio.toFixed(2),
    goal: `≤ ${most} ${ratio <= most ? 'met' : 'missed'}`,
  };
};

const plain = (row: string, storage: Storage, ours: string, goal = ''): Row => ({
  row,
  database: storage.name,
  ours,
  bare: '',
  ratio: '',
  goal,
});

async function* acceptRow(fresh: Fresh, receiver: Receiver): AsyncGenerator<Row> {
  const storage = await fresh();
  yield compared('accept', storage, await accept(storage, receiver), 0.8);
}

async function* receiveRow(fresh: Fresh, receiver: Receiver): AsyncGenerator<Row> {
  const storage = await fresh();
  const { long, ...figures } = await receive(storage, receiver);
  yield compared('receive, against accepting', storage, figures, 0.5);
  const told = `${perSecond(long.perSecond)}, p99 ${milliseconds(long.p99)}, ${long.lost} lost`;
  yield plain('receive for ten seconds', storage, told);
}

async function* acceptTogetherRow(fresh: Fresh, receiver: Receiver): AsyncGenerator<Row> {
  const storage = await fresh();
  if (storage.name === 'server') {
    const figures = await acceptTogether(storage, receiver);
    yield compared('accept by three processes, against one', storage, figures, 0.5);
  }
}

async function* deliverRows(fresh: Fresh, receiver: Receiver): AsyncGenerator<Row> {
  for (const count of [10_000, 20_000, 100_000]) {
    const storage = await fresh();
    const figures = await deliver(storage, receiver, count);
    const waiting = `${count.toLocaleString('en')} waiting`;
    yield compared(`deliver, ${waiting}`, storage, figures, storage.name === 'server' ? 0.5 : 0.35);
    const { peer, bare } = figures;
    if (peer !== null) {
      const row = compared(`graphile-worker, ${waiting}`, storage, { ours: peer, bare }, 0);
      yield { ...row, goal: '' };
    }
    yield plain(`memory at most, ${waiting}`, storage, megabytes(figures.memoryBusy));
  }
}

async function* floorRow(fresh: Fresh, receiver: Receiver): AsyncGenerator<Row> {
  const storage = await fresh();
  const row = compared('the least of a delivery', storage, await floor(storage, receiver, 20_000), 0);
  yield { ...row, goal: '' };
}

async function* webhookRow(fresh: Fresh, receiver: Receiver): AsyncGenerator<Row> {
  const storage = await fresh();
  yield compared('webhooks, 20,000 events', storage, await webhooks(storage, receiver, 20_000), 0.6);
}

async function* promocodeRows(fresh: Fresh): AsyncGenerator<Row> {
  const storage = await fresh();
  const { atFirst, atLast } = await generateCodes(storage, 100_000);
  yield plain('promo codes generated, first of 100,000', storage, perSecond(atFirst));
  yield plain('promo codes generated, last of 100,000', storage, perSecond(atLast));
}

async function* planRow(fresh: Fresh, receiver: Receiver): AsyncGenerator<Row> {
  const storage = await fresh();
  yield took('plan, 1,000,000 chats', storage, await plan(storage, receiver, million), 1.5);
}

async function* csvRows(fresh: Fresh, receiver: Receiver): AsyncGenerator<Row> {
  const storage = await fresh();
  const { grewBy, p99, ...times } = await readCsv(storage, receiver, million);
  yield took('CSV, 1,000,000 ids', storage, times, 2);
  yield plain('memory above rest meanwhile', storage, megabytes(grewBy), `≤ 150 MB ${met(grewBy <= 150)}`);
  yield plain('others’ requests meanwhile, p99', storage, milliseconds(p99), `≤ 100 ms ${met(p99 <= 100)}`);
}

async function* drainRows(fresh: Fresh, receiver: Receiver): AsyncGenerator<Row> {
  const storage = await fresh();
  const { withEvents, ...figures } = await drain(storage, receiver, 20_000);
  yield compared('mailing of 20,000 with its events', storage, figures, 0.4);
  yield plain('the same until its last event', storage, perSecond(withEvents));
}

async function* scenarioRow(fresh: Fresh, receiver: Receiver): AsyncGenerator<Row> {
  const storage = await fresh();
  const row = compared(
    'scenario of two messages, against a text',
    storage,
    await scenarios(storage, receiver, 5_000),
    0,
  );
  yield { ...row, goal: '' };
}

async function* pageRows(fresh: Fresh): AsyncGenerator<Row> {
  const storage = await fresh();
  for await (const { name, p50, p99, most } of pages(storage, million)) {
    yield plain(`${name}, p50`, storage, milliseconds(p50));
    yield plain(`${name}, p99`, storage, milliseconds(p99), `≤ ${most} ms ${met(p99 <= most)}`);
  }
}

async function* liveFeedRows(fresh: Fresh): AsyncGenerator<Row> {
  const storage = await fresh();
  const { p50, p99, missing } = await liveFeed(storage);
  yield plain('message to 200 operators, p50', storage, milliseconds(p50));
  const isMet = p99 <= 300 && missing === 0;
  yield plain('message to 200 operators, p99', storage, milliseconds(p99), `≤ 300 ms ${met(isMet)}`);
}

async function* lookRows(fresh: Fresh, receiver: Receiver): AsyncGenerator<Row> {
  const storage = await fresh();
  const history = storage.name === 'server' ? million : million / 10;
  const { idleLook, busyLook, push, ...rates } = await looks(storage, receiver, history);
  const scene = `500 channels, ${history.toLocaleString('en')} messages of 28 months`;
  yield plain(`look, ${scene}`, storage, milliseconds(idleLook), `≤ 5 ms ${met(idleLook <= 5)}`);
  yield plain('look while each of them waits', storage, milliseconds(busyLook));
  yield plain(
    'POST to provider there, p50',
    storage,
    milliseconds(push.p50),
    `≤ 30 ms ${met(push.p50 <= 30)}`,
  );
  yield plain('POST to provider there, p99', storage, milliseconds(push.p99));
  const burst = { ours: rates.overMany, bare: rates.overOne };
  yield compared('burst of 10,000 over 500 channels, against one', storage, burst, 0.8);
}

async function* idleRows(fresh: Fresh): AsyncGenerator<Row> {
  const storage = await fresh();
  const { p50, p99, cpuPercent, memory } = await idle(storage);
  yield plain('POST to provider, p50', storage, milliseconds(p50), `≤ 15 ms ${p50 <= 15 ? 'met' : 'missed'}`);
  yield plain('POST to provider, p99', storage, milliseconds(p99));
  yield plain('CPU while idle', storage, `${cpuPercent.toFixed(2)} %`);
  yield plain('memory at rest', storage, megabytes(memory));
}

async function* killRows(fresh: Fresh): AsyncGenerator<Row> {
  const provider = await startReceiver(20);
  const kills: Awaited<ReturnType<typeof kill>>[] = [];
  const storage = await fresh();
  for (let round = 0; round < 5; round += 1) kills.push(await kill(storage, provider));
  provider.stop();
  const repeats = kills.map((one) => one.repeats).sort((a, b) => a - b);
  const most = repeats.at(-1) ?? 0;
  yield plain(
    'sent a second to a provider of 20 ms',
    storage,
    kills.map(({ rate }) => perSecond(rate)).join(', '),
  );
  yield plain('repeated after each of five kills', storage, repeats.join(', '), `≤ 100 ${met(most <= 100)}`);
}

async function* neighbourRows(fresh: Fresh, receiver: Receiver): AsyncGenerator<Row> {
  const storage = await fresh();
  for await (const { name, answers, p50, most } of neighbour(storage, receiver)) {
    const counted = Object.entries(answers).map(([status, count]) => `${count} × ${status}`);
    const times = `p50 ${milliseconds(p50)}, at most ${milliseconds(most)}`;
    const goal = `p50 ≤ 500 ms ${met(p50 <= 500)}`;
    yield { ...plain(`a neighbour’s calls beside: ${name}`, storage, times, goal), bare: counted.join(', ') };
  }
}

type Measure = (fresh: Fresh, receiver: Receiver) => AsyncGenerator<Row>;

/** What can be measured, by the name that the command takes. */
export const measures: Readonly<Record<string, Measure>> = {
  accept: acceptRow,
  'accept-together': acceptTogetherRow,
  receive: receiveRow,
  deliver: deliverRows,
  floor: floorRow,
  webhooks: webhookRow,
  promocodes: promocodeRows,
  plan: planRow,
  csv: csvRows,
  drain: drainRows,
  scenarios: scenarioRow,
  pages: pageRows,
  'live-feed': liveFeedRows,
  looks: lookRows,
  idle: idleRows,
  kills: killRows,
  neighbour: neighbourRows,
};
