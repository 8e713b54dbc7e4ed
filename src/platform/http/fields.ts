import Type, { type Static, type TSchema, type TUnsafe } from 'typebox';
import { isLongerThan } from '../characters.ts';
import { onOneLine } from '../one-line.ts';

/** The schemas of the API's fields. */

export const Uuid = Type.String({ format: 'uuid' });
/** An http or https address. */
export const Uri = Type.String({ format: 'uri', minLength: 1 });
/** E.164, or its digits without the `+`. */
export const PhoneNumber = Type.String({ format: 'phone', minLength: 1 });
/** ISO 8601 with a zone. */
export const DateTime = Type.String({ format: 'date-time' });

/** Non-empty text of at most `maxLength` characters (code points). */
export const Text = (maxLength?: number) =>
  Type.String(maxLength === undefined ? { minLength: 1 } : { minLength: 1, maxLength });

/** The same on one line: no control character and no line break. */
export const Line = (maxLength?: number) =>
  Type.String({ minLength: 1, ...(maxLength !== undefined && { maxLength }), pattern: onOneLine });

/** A whole number. The default bounds are those that a JSON number keeps exactly. */
export const Integer = (
  minimum: number = Number.MIN_SAFE_INTEGER,
  maximum: number = Number.MAX_SAFE_INTEGER,
) => Type.Integer({ minimum, maximum });

/** One of these words. */
export const Choice = <const Word extends string>(words: readonly Word[]) =>
  Object.assign(Type.Unsafe<Word>({}), { type: 'string', enum: words });

/** The schema, or null. One schema with two types serializes faster than a union. */
export const Nullable = <S extends TSchema & { type: string; enum?: readonly unknown[] }>(
  schema: S,
): TUnsafe<Static<S> | null> =>
  Type.Unsafe<Static<S> | null>({
    ...schema,
    type: [schema.type, 'null'],
    ...(schema.enum && { enum: [...schema.enum, null] }),
  });

/** A copy with one more property. typebox's hidden marks stay on it. */
const withProperty = <S extends TSchema>(schema: S, name: string, property: PropertyDescriptor): S =>
  Object.defineProperties(
    { ...schema },
    { ...Object.getOwnPropertyDescriptors<TSchema>(schema), [name]: property },
  );

/** The schema with a description, which the API's description shows. */
export const described = <S extends TSchema>(description: string, schema: S): S =>
  withProperty(schema, 'description', { value: description, enumerable: true });

/** The schema of a value with a separate reader. That reader explains its faults, including NUL. */
export const apart = <S extends TSchema>(schema: S): S => withProperty(schema, '~apart', { value: true });

/** The parameters of a path that names one object. */
export const UuidParams = Type.Object({ uuid: Uuid });

/** A body that the action gets as the received bytes, for signatures over them. */
export const RawBytes = apart(Type.Unsafe<Buffer>({ contentMediaType: 'application/octet-stream' }));

/** A body that the action reads as a stream, up to `bodyLimit`. */
export const ByteStream = apart(
  Type.Unsafe<AsyncIterable<Buffer>>({ contentMediaType: 'application/octet-stream' }),
);

export type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/**
 * The limit of an object that is stored unchanged, in characters of its JSON. A page of a list returns a hundred of
 * them.
 */
export const mostKept = 65_536;

export const isTooLarge = (kept: unknown, most = mostKept): boolean =>
  isLongerThan(JSON.stringify(kept ?? null), most);

/** The same for values of one row. A single one has its own limit. */
export function areTooLarge(kept: readonly unknown[]): boolean {
  const given = kept.filter((value) => (value ?? null) !== null);
  return given.length > 1 && isLongerThan(given.map((value) => JSON.stringify(value)).join(''), mostKept);
}

/** Any JSON object. It is read and written whole, whereas `Type.Object({})` would serialize as `{}`. */
export const JsonObject = Object.assign(Type.Unsafe<{ [name: string]: JsonValue }>({}), {
  type: 'object',
  additionalProperties: true,
});
