/** Runs works with the same key one after another, in the order of the calls. */
export function inOrder(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();

  return async (key, work) => {
    const before = last.get(key);
    const own = before ? before.then(work, work) : work();
    last.set(key, own);
    try {
      return await own;
    } finally {
      if (last.get(key) === own) last.delete(key);
    }
  };
}
