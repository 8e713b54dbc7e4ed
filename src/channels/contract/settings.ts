import Type from 'typebox';

/**
 * Spread into the settings of a messenger whose provider does not sign requests. The channel's address ends in this
 * secret, and any other ending is not found.
 */
export const secretEnding = {
  address_secret: Type.Optional(Type.String({ secret: true, made: true, learnt: true })),
};

/** The base address of an HTTP API, for providers that allow another one. */
export const apiRootOf = (given: string | undefined, usual: string): string =>
  (given ?? usual).replace(/\/+$/, '');

/** The setting of that name. */
export const apiRoot = (usual: string) =>
  Type.Optional(Type.String({ format: 'uri', maxLength: 2048, description: `Default: ${usual}.` }));
