import { type Flusher, ownTurn, type Turns } from './turns.ts';

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

type Limits = {
  /** Items in one flush. */
  max: number;
  /** Flushes under way at once, 1 unless given: writes gain little from more, short reads a quarter from 2. */
  concurrency?: number;
  /** Shared with other batches, where not all of them shall flush at once. */
  turns?: Turns;
  /** Which failures meet the calls that wait for the next flush too: they would only wait as long for the same. */
  failsAll?: (error: unknown) => boolean;
};

/**
 * Joins concurrent calls into flushes of at most `max` items, as a database's group commit does.
 * A call on an idle batch is flushed in the same turn of the event loop, together with what else arrived in that turn;
 * calls that come while every flush is under way wait for the next one.
 *
 * `run` gets the items in order of arrival and answers with one result each, in the same order.
 * When it fails, the calls of that flush fail with its error, and no others unless `failsAll` says so.
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
