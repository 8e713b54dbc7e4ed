import { type Flusher, ownTurn, type Turns } from './turns.ts';

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

type Limits = {
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
};

/**
 * Joins concurrent calls into flushes of at most `max` items, like a database's group commit. A call on an idle batch
 * is flushed in the same turn of the event loop, together with other calls of that turn. Calls that arrive while all
 * flushes are running wait for the next one.
 *
 * `run` gets the items in order of arrival and returns one result for each, in the same order. If it fails, only the
 * calls of that flush fail with its error, unless `failsAll` says otherwise.
 */
export function batched<Item, Result>(
  run: (items: Item[]) => Promise<readonly Result[]>,
  { max, concurrency = 1, turns = ownTurn, failsAll = () => false }: Limits,
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
      await answer(run, batch).catch((error: unknown) => {
        const failed = failsAll(error) ? [...batch, ...waiting.splice(0)] : batch;
        for (const { reject } of failed) reject(error);
      });
      underWay -= 1;
      ask();
    },
  };

  const take = (): Waiting<Item, Result>[] => {
    const batch = waiting.slice(0, max);
    waiting = waiting.slice(max);
    return batch;
  };

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
