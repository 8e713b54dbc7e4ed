import Type, { type Static } from 'typebox';
import { Share } from '../../../../mailings/ab-test/result-schema.ts';
import { Choice, DateTime, Nullable, Uuid } from '../../../../platform/http/fields.ts';

/** The uuids of the mailings, separated by commas. */
export const CompareQuery = Type.Object({ mailings: Type.String() });

/** `sent` is a share of the planned recipients, and each other one of the sent. */
export const measures = [
  'sent',
  'delivered',
  'read',
  'jumped',
  'clicked',
  'replied',
  'converted',
  'unsubscribed',
] as const;

/** In the order in which the mailings were asked for. */
export const Comparison = Type.Object({
  mailings: Type.Array(
    Type.Object({ uuid: Uuid, name: Type.String(), started_at: Nullable(DateTime), planned: Type.Integer() }),
  ),
  measures: Type.Array(
    Type.Object({
      measure: Choice(measures),
      shares: Type.Array(Share),
      /** The places of the highest share and of those that show no difference from it. */
      leaders: Type.Array(Type.Integer()),
    }),
  ),
});

export type Comparison = Static<typeof Comparison>;
