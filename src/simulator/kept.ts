import Type, { type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** Readers of what the simulator has kept. Each throws for another form, as of another version. */

const reader =
  <S extends TSchema>(schema: S) =>
  (kept: unknown): Static<S> =>
    Value.Parse(schema, kept);

export const keptAddress = reader(Type.Union([Type.String(), Type.Null()]));

export const keptNumber = reader(Type.Integer({ minimum: 0 }));

export const keptAddresses = reader(Type.Array(Type.String()));

export const keptServers = reader(
  Type.Array(Type.Object({ id: Type.Integer(), url: Type.String(), secret_key: Type.String() })),
);

export const keptSubscriptions = reader(
  Type.Array(Type.Object({ url: Type.String(), secret: Type.Optional(Type.String()) })),
);

export const keptWebhooks = reader(
  Type.Array(
    Type.Tuple([
      Type.String(),
      Type.Object({ url: Type.String(), secret_token: Type.Optional(Type.String()) }),
    ]),
  ),
);

export const keptSettings = reader(Type.Record(Type.String(), Type.Unknown()));
