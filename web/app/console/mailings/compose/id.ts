/** Creates unique ids for parts of a draft, including one restored from an earlier visit. */
export const newId = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
