import Type from 'typebox';

/**
 * Spread into the settings of a messenger whose provider signs nothing: the channel's address ends in this secret, and
 * with any other ending there is nothing.
 */
export const secretEnding = {
  address_secret: Type.Optional(Type.String({ secret: true, made: true, learnt: true })),
};

/** The base address of an HTTP API, where it can be another one than the provider's. */
export const apiRootOf = (given: string | undefined, usual: string): string =>
  (given ?? usual).replace(/\/+$/, '');

/** The setting of that name. */
export const apiRoot = (usual: string) =>
  Type.Optional(Type.String({ format: 'uri', maxLength: 2048, description: `Default: ${usual}.` }));
