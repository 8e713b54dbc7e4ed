/** Most providers tell times in whole seconds. */
export const seconds = (): number => Math.floor(Date.now() / 1000);
