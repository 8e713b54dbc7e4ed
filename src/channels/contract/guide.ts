import Type, { type Static } from 'typebox';

/** A text for people in each language of the pages. */
export const Words = Type.Object({ en: Type.String(), ru: Type.String() });

export type Words = Static<typeof Words>;

export const words = (en: string, ru: string): Words => ({ en, ru });

/** The person needs this part. */
const marked = Type.Optional(Type.Literal(true));

/** A part of a provider's page: a field, a button, a ticked box, words in a chat, or a code for a phone's camera. */
export const SketchPart = Type.Union([
  Type.Object({ field: Words, value: Type.String(), marked }),
  Type.Object({ button: Words, marked }),
  Type.Object({ tick: Words, marked }),
  Type.Object({ says: Words, by: Type.Union([Type.Literal('person'), Type.Literal('bot')]), marked }),
  Type.Object({ code: Words, marked }),
]);

export type SketchPart = Static<typeof SketchPart>;

/** A provider's page as data. We draw it ourselves. */
export const Sketch = Type.Object({
  /** The title of the page or chat. */
  window: Type.String(),
  /** The menu items that lead there. */
  menu: Type.Optional(Type.Array(Words)),
  parts: Type.Array(SketchPart),
});

export type Sketch = Static<typeof Sketch>;

/** A setting in words. */
export const Field = Type.Object({
  name: Type.String(),
  label: Words,
  help: Type.Optional(Words),
  /** A random text serves, which the page can make: any, or one in the form of Standard Webhooks. */
  canMake: Type.Optional(Type.Union([Type.Literal('token'), Type.Literal('webhook secret')])),
});

export type Field = Static<typeof Field>;

export const Step = Type.Object({
  title: Words,
  text: Words,
  /** The page of the provider. */
  link: Type.Optional(Type.String()),
  sketch: Type.Optional(Sketch),
  /** The settings that the person enters now. */
  fields: Type.Optional(Type.Array(Field)),
  /** What the person enters at the provider: names of settings, or `address` for the channel's address. */
  gives: Type.Optional(Type.Array(Type.String())),
  /** Most people skip it. */
  isRare: Type.Optional(Type.Literal(true)),
});

export type Step = Static<typeof Step>;

/** How a person adds a channel. Each setting stands in one step. */
export const Guide = Type.Object({
  /** The steps until the channel is added. */
  before: Type.Array(Step),
  /** The steps once the channel has an address. */
  after: Type.Array(Step),
  /** How a client writes to the channel. */
  tryOut: Words,
});

export type Guide = Static<typeof Guide>;

export const apiRootField: Field = {
  name: 'api_root',
  label: words('API server', 'Сервер API'),
  help: words(
    'Only for another server with the same API. Empty: the usual server.',
    'Нужен только для другого сервера с тем же API. Если пусто, это обычный сервер.',
  ),
};

/** The settings that most channels leave empty. */
export const rarely = (...fields: Field[]): Step => ({
  title: words('Rarely needed', 'Нужно редко'),
  text: words('Most channels leave this empty.', 'Обычно эти поля оставляют пустыми.'),
  fields,
  isRare: true,
});
