import type { ContentKind } from './capabilities.ts';

/** The API's words for content that goes to any messenger that carries it. */
export const commonContent: { readonly [word: string]: ContentKind } = {
  TEXT: 'text',
  NODE: 'node',
  text: 'text',
  image: 'image',
  document: 'document',
};
