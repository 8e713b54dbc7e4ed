import Type, { type Static } from 'typebox';
import { Promocode, PromocodeGenerate } from '../../../clients/promocodes/schema.ts';
import { Choice, DateTime, Integer, Nullable, Text, Uuid } from '../../../platform/http/fields.ts';

const optional = Type.Optional;

/** A group, and its number of codes. */
export const StockedGroup = Type.Object({
  uuid: Uuid,
  name: Type.String(),
  /** Codes that can be issued, that expired before that, and that were issued. */
  available: Integer(0),
  lapsed: Integer(0),
  issued: Integer(0),
});

export type StockedGroup = Static<typeof StockedGroup>;

export const CodesQuery = Type.Object({
  status: optional(Choice(['AVAILABLE', 'ISSUED'])),
  /** A whole code. */
  code: optional(Text(1_024)),
});

/** A code, and the client who got it, for people to read. */
export const GroupCode = Type.Object({
  ...Promocode.properties,
  client: Nullable(Type.Object({ uuid: Uuid, title: Nullable(Type.String()) })),
});

export type GroupCode = Static<typeof GroupCode>;

/** The number of codes that one statement writes. */
export const mostAtOnce = 1_000;

const { chars_count, is_add_integers, prefix, expires_at } = PromocodeGenerate.properties;

export const CodesGenerate = Type.Object({
  count: Integer(1, mostAtOnce),
  chars_count,
  is_add_integers,
  prefix,
  expires_at,
});

export type CodesGenerate = Static<typeof CodesGenerate>;

/** Fewer than requested when few of the format are left. */
export const CodesMade = Type.Object({ made: Integer(0) });

export type CodesMade = Static<typeof CodesMade>;

export const CodesImport = Type.Object({
  /** Codes from a list or a file, any of which may be invalid. */
  lines: Type.Array(Type.String(), { minItems: 1, maxItems: mostAtOnce }),
  expires_at: optional(Nullable(DateTime)),
});

export type CodesImport = Static<typeof CodesImport>;

export const fates = ['added', 'duplicate', 'too_long', 'blank'] as const;

export const CodesImported = Type.Object({
  /** The result of each line, in their order. */
  results: Type.Array(Choice(fates)),
});

export type CodesImported = Static<typeof CodesImported>;
