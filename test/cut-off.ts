import type { Pool } from '../src/platform/database/database.ts';

/** The pool of a worker that can be cut off from the database, like a dead or frozen worker. */
export type SeverablePool = { sql: Pool; cut(): void; mend(): void };

/** A worker that is cut off keeps results for later. A killed worker does not. */
export function severable(pool: Pool, how: 'cut off' | 'killed' = 'cut off'): SeverablePool {
  const code = how === 'cut off' ? { code: '08006' } : {};
  let isCut = false;
  const lost = () => {
    const failure = Promise.reject(Object.assign(new Error(how), code));
    // A part of a statement fails too, and is never awaited.
    failure.catch(() => {});
    return failure;
  };
  const sql = new Proxy(pool, {
    apply: (target, self, parameters) => (isCut ? lost() : Reflect.apply(target, self, parameters)),
    get: (target, key) => (isCut && key === 'begin' ? lost : Reflect.get(target, key)),
  });
  return {
    sql,
    cut() {
      isCut = true;
    },
    mend() {
      isCut = false;
    },
  };
}
