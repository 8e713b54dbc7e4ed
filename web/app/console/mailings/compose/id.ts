/** Tells the parts of a draft apart, also of one that was kept from an earlier visit. */
export const newId = (): number => crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
