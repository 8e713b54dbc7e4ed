import Type, { type Static } from 'typebox';

export const IdentitySecret = Type.Object({
  /** Shown only this once. */
  secret: Type.String(),
});

export type IdentitySecret = Static<typeof IdentitySecret>;
