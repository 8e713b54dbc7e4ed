import type { Pool } from '../src/platform/database/database.ts';

/** The database, with the most transactions, and statements that fit, that were under way at once. */
export function watchUnderWay(sql: Pool, fits?: RegExp): { sql: Pool; most(): number } {
  let most = 0;
  let underWay = 0;
  async function watch<Result>(work: () => Promise<Result>): Promise<Result> {
    underWay += 1;
    most = Math.max(most, underWay);
    try {
      return await work();
    } finally {
      underWay -= 1;
    }
  }
  const watched = new Proxy(sql, {
    apply: (target, self, statement: Parameters<Pool>) => {
      const ask = () => Reflect.apply(target, self, statement);
      return fits?.test(String(statement[0])) ? watch(async () => ask()) : ask();
    },
    get: (target, name) =>
      name === 'begin'
        ? (body: Parameters<Pool['begin']>[0]) => watch(() => target.begin(body))
        : Reflect.get(target, name),
  });
  return { sql: watched, most: () => most };
}
