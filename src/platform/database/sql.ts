import { escapeIdentifier } from 'pg';

/** A value that JSON can hold. `undefined` fields are left out. */
export type JSONValue =
  | null
  | string
  | number
  | boolean
  | Date
  | readonly JSONValue[]
  | { readonly [name: string]: unknown };

/** A value that a statement accepts in place of a `$1`. `undefined` is null. */
export type Parameter = Value | Fragment | readonly Fragment[] | Json;

type Scalar = string | number | bigint | boolean | Date | Uint8Array | null | undefined;

/** A parameter that is not part of the text. The driver writes it out. */
export type Value = Scalar | readonly (Scalar | readonly Scalar[])[];

/** A row of a statement without a declared type. */
// biome-ignore lint/suspicious/noExplicitAny: tests read such rows freely.
type AnyRow = Record<string, any>;

/** A server's answer: the rows, and how many were read or changed. */
export type Answer<Rows> = { rows: Rows; count: number };

/** A statement written out. A text of several statements cannot be prepared. */
export type Query = { text: string; values: Value[]; isOne: boolean };

/** Sends a statement. */
export type Send = (query: Query) => Promise<Answer<object[]>>;

/**
 * A part of a statement: text with parameters. The parameters keep their place when it becomes part of another
 * statement.
 */
export class Fragment {
  readonly #strings: readonly string[];
  readonly #parameters: readonly Parameter[];

  constructor(strings: readonly string[], parameters: readonly Parameter[]) {
    this.#strings = strings;
    this.#parameters = parameters;
  }

  /** The text with `$1`, `$2`, … for its values, which are appended to the given ones. */
  write(values: Value[]): string {
    let text = this.#strings[0] ?? '';
    for (const [index, parameter] of this.#parameters.entries()) {
      if (parameter instanceof Fragment) text += parameter.write(values);
      else if (isFragments(parameter)) text += parameter.map((part) => part.write(values)).join(' ');
      else text += `$${values.push(parameter instanceof Json ? parameter.text : parameter)}`;
      text += this.#strings[index + 1] ?? '';
    }
    return text;
  }
}

type SendFor<Rows> = (query: Query) => Promise<Answer<Rows>>;

const isFragments = (parameter: Parameter): parameter is readonly Fragment[] =>
  Array.isArray(parameter) && parameter[0] instanceof Fragment;

/** A statement that is sent when it is awaited, and only once. As a parameter it is a fragment. */
export class Statement<Rows> extends Fragment implements Promise<Rows> {
  readonly [Symbol.toStringTag] = 'Statement';
  readonly #send: SendFor<Rows>;
  readonly #isOne: boolean;
  #answer: Promise<Answer<Rows>> | undefined;

  constructor(
    strings: readonly string[],
    parameters: readonly Parameter[],
    send: SendFor<Rows>,
    { isOne }: Pick<Query, 'isOne'>,
  ) {
    super(strings, parameters);
    this.#send = send;
    this.#isOne = isOne;
  }

  /** Sends the statement now. */
  async execute(): Promise<Rows> {
    return (await this.#sent()).rows;
  }

  /** Sends the statement, and returns how many rows it has read or changed. */
  async count(): Promise<number> {
    return (await this.#sent()).count;
  }

  // biome-ignore lint/suspicious/noThenProperty: a promise that begins when it is awaited.
  then<Good = Rows, Bad = never>(
    onRows?: ((rows: Rows) => Good | PromiseLike<Good>) | null,
    onError?: ((error: unknown) => Bad | PromiseLike<Bad>) | null,
  ): Promise<Good | Bad> {
    return this.execute().then(onRows, onError);
  }

  catch<Bad = never>(onError?: ((error: unknown) => Bad | PromiseLike<Bad>) | null): Promise<Rows | Bad> {
    return this.execute().catch(onError);
  }

  finally(onEnd?: (() => void) | null): Promise<Rows> {
    return this.execute().finally(onEnd);
  }

  #sent(): Promise<Answer<Rows>> {
    if (this.#answer) return this.#answer;
    const values: Value[] = [];
    const text = this.write(values);
    this.#answer = this.#send({ text, values, isOne: this.#isOne });
    return this.#answer;
  }
}

/** A parameter of type `json` or `jsonb`. Null stays SQL's null. */
class Json {
  readonly text: string | null;
  constructor(value: JSONValue | object) {
    this.text = value === null ? null : JSON.stringify(value);
  }
}

/** Makes statements: sql`select … where id = ${id}`. Stores accept the pool, or a transaction begun on it. */
export type Sql = {
  <Rows extends readonly object[] = AnyRow[]>(
    strings: TemplateStringsArray,
    ...parameters: Parameter[]
  ): Statement<Rows>;
  /** The name of a table or column. */
  (name: string): Fragment;
  json(value: JSONValue | object): Json;
  /** A text without parameters, of one or several statements. */
  unsafe<Rows extends readonly object[] = AnyRow[]>(text: string): Statement<Rows>;
};

/** A tag whose statements go through `send`. */
export function createSql(send: Send): Sql {
  // The rows are what the statement selects. Its author ensures that the declared type agrees.
  const sendFor = <Rows>() => send as SendFor<Rows>;

  function sql<Rows extends readonly object[] = AnyRow[]>(
    strings: TemplateStringsArray,
    ...parameters: Parameter[]
  ): Statement<Rows>;
  function sql(name: string): Fragment;
  function sql(first: TemplateStringsArray | string, ...parameters: Parameter[]): Fragment {
    return typeof first === 'string'
      ? new Fragment([escapeIdentifier(first)], [])
      : new Statement(first, parameters, sendFor(), { isOne: true });
  }
  return Object.assign(sql, {
    json: (value: JSONValue | object) => new Json(value),
    unsafe: <Rows extends readonly object[]>(text: string) =>
      new Statement<Rows>([text], [], sendFor(), { isOne: false }),
  });
}
