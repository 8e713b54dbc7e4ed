import { type Flusher, ownTurn, type Turns } from './turns.ts';

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

type Limits<Item> = {
  /** Items in one flush. */
  max: number;
  /** Concurrent flushes, 1 by default. Writes gain little from more, short reads a quarter from 2. */
  concurrency?: number;
  /** Shared with other batches, if they must not flush at the same time. */
  turns?: Turns;
  /**
   * The failures that reject the calls waiting for the next flush too. They would only wait as long for the same
   * failure.
   */
  failsAll?: (error: unknown) => boolean;
  /** Items with the same key are never in one flush. */
  keyOf?: (item: Item) => string;
  /** After another failure each item of the flush is tried alone, so that one cannot prevent the others. */
  retriesAlone?: boolean;
};

/**
 * Joins concurrent calls into flushes of at most `max` items, like a database's group commit. A call on an idle batch
 * is flushed in the same turn of the event loop, together with other calls of that turn. Calls that arrive while all
 * flushes are running wait for the next one.
 *
 * `run` gets the items in order of arrival and returns one result for each, in the same order. If it fails, only the
 * calls of that flush fail with its error, unless `failsAll` or `retriesAlone` say otherwise.
 */
export function batched<Item, Result>(
  run: (items: Item[]) => Promise<readonly Result[]>,
  {
    max,
    concurrency = 1,
    turns = ownTurn,
    failsAll = () => false,
    keyOf,
    retriesAlone = false,
  }: Limits<Item>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let asked = false;

  const ask = (): void => {
    if (asked || underWay >= concurrency || waiting.length === 0) return;
    asked = true;
    turns.ask(flusher);
  };

  const flusher: Flusher = {
    waiting: () => waiting.length,
    async flush() {
      asked = false;
      if (waiting.length === 0) return;
      underWay += 1;
      const batch = take();
      ask();
      await answer(run, batch).catch((error: unknown) => fail(batch, error));
      underWay -= 1;
      ask();
    },
  };

  const take = (): Waiting<Item, Result>[] => {
    const batch = keyOf ? withoutTwins(waiting, max, keyOf) : waiting.slice(0, max);
    const taken = new Set(batch);
    waiting = waiting.filter((call) => !taken.has(call));
    return batch;
  };

  async function fail(batch: Waiting<Item, Result>[], error: unknown): Promise<void> {
    const failsToo = failsAll(error);
    if (retriesAlone && !failsToo && batch.length > 1) {
      for (const call of batch) await answer(run, [call]).catch(call.reject);
      return;
    }
    for (const { reject } of failsToo ? [...batch, ...waiting.splice(0)] : batch) reject(error);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      ask();
    });
}

async function answer<Item, Result>(
  run: (items: Item[]) => Promise<readonly Result[]>,
  batch: Waiting<Item, Result>[],
): Promise<void> {
  const results = await run(batch.map(({ item }) => item));
  if (results.length !== batch.length) {
    throw new Error(`A batch of ${batch.length} items was answered with ${results.length} results.`);
  }
  for (const [index, result] of results.entries()) batch[index]?.resolve(result);
}

/** The first of the calls with each key. */
function withoutTwins<Call extends { item: Item }, Item>(
  calls: readonly Call[],
  max: number,
  keyOf: (item: Item) => string,
): Call[] {
  const first = new Map<string, Call>();
  for (const call of calls) {
    const key = keyOf(call.item);
    if (!first.has(key)) first.set(key, call);
    if (first.size === max) break;
  }
  return [...first.values()];
}
