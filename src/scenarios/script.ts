import Type, { type Static } from 'typebox';
import { DateTime, JsonObject, type JsonValue, Nullable } from '../platform/http/fields.ts';
import { reader } from '../platform/http/validation.ts';
import { invalid } from '../platform/problem.ts';
import { timeZoneOf } from '../platform/time-zone.ts';
import { Duration } from './schema.ts';

/** The script of a play: the client, then line by line the events and the expectations. */

const optional = Type.Optional;
const Json = Type.Unsafe<JsonValue>({});

const Expectation = Type.Object({
  /** The next message: text, url, kind, buttons. */
  message: optional(JsonObject),
  /** The next request: method, url, headers, body. */
  request: optional(JsonObject),
  /** The next handover: title, team. */
  operator: optional(JsonObject),
  variables: optional(JsonObject),
  attributes: optional(JsonObject),
  tags: optional(Type.Array(Type.String())),
  end: optional(Type.Literal(true)),
  failure: optional(Type.String()),
});

const Line = Type.Object({
  client: optional(Type.String()),
  /** A button of the last message, by its text or its payload. */
  press: optional(Type.String()),
  wait: optional(Duration),
  /** The answer to the request: a status (200) and a body. Null: no answer. */
  answer: optional(Json),
  /** A plain text is the next message's. */
  expect: optional(Json),
});

const Known = optional(Nullable(Type.String()));

/** The known facts about the client, as in `Facts`. */
const Profile = Type.Object({
  external_id: Known,
  phone_number: Known,
  email: Known,
  name: Known,
  timezone: Known,
  pda_agreed: Known,
  created_at: optional(DateTime),
  tags: optional(Type.Array(Type.String())),
  attrs: optional(JsonObject),
});

const Chat = Type.Object({
  platform: optional(Type.String()),
  name: Known,
  username: Known,
  phone: Known,
  created_at: optional(DateTime),
  variables: optional(JsonObject),
});

const Script = Type.Object({
  now: optional(DateTime),
  params: optional(JsonObject),
  profile: optional(Profile),
  chat: optional(Chat),
  /** The codes of each group. */
  promocodes: optional(Type.Record(Type.String(), Type.Array(Type.String()))),
  lines: Type.Array(Line, { maxItems: 10_000 }),
});

export type Expected = Static<typeof Expectation>;
export type Line =
  | { do: 'client'; text: string }
  | { do: 'press'; button: string }
  | { do: 'wait'; duration: Duration }
  | { do: 'answer'; answer: JsonValue }
  | { do: 'expect'; expected: Expected };
export type Script = Omit<Static<typeof Script>, 'lines'> & { lines: Line[] };

const readScript = reader(Script);
const readExpectation = reader(Expectation);

/** Throws `Invalid`. */
export function parseScript(value: unknown): Script {
  const script = readScript(value);
  const zone = script.profile?.timezone ?? 'UTC';
  if (timeZoneOf(zone) === null) throw invalid('profile.timezone', `"${zone}" is no time zone.`);
  return { ...script, lines: script.lines.map(lineOf) };
}

function lineOf({ client, press, wait, answer, expect }: Static<typeof Line>, index: number): Line {
  if (client !== undefined) return { do: 'client', text: client };
  if (press !== undefined) return { do: 'press', button: press };
  if (wait !== undefined) return { do: 'wait', duration: wait };
  if (answer !== undefined) return { do: 'answer', answer };
  if (typeof expect === 'string') return { do: 'expect', expected: { message: { text: expect } } };
  if (expect !== undefined) return { do: 'expect', expected: readExpectation(expect) };
  throw invalid(`lines.${index}`, 'A line is one of client, press, wait, answer, expect.');
}
