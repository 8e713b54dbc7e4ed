import { extname } from 'node:path';

/** The address of a module that a thread or a process starts with: a `.ts` in a checkout, a `.js` in the package. */
export const moduleAt = (path: string, { url }: Pick<ImportMeta, 'url'>): URL =>
  new URL(`${path}${extname(url)}`, url);
