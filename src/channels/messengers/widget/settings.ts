import Type, { type Static } from 'typebox';

const optional = Type.Optional;

const oneOf = <const Word extends string>(description: string, words: readonly Word[]) =>
  Type.Unsafe<Word>(Type.String({ description, enum: [...words] }));

/** The settings that a visitor's browser needs to draw a widget. */
export const WidgetLook = Type.Object({
  title: optional(Type.String({ description: 'Shown above the conversation.', minLength: 1, maxLength: 60 })),
  greeting: optional(
    Type.String({ description: 'Shown while there are no messages.', minLength: 1, maxLength: 300 }),
  ),
  accent: optional(Type.String({ description: 'A colour such as #0b7a6b.', pattern: '^#[0-9a-fA-F]{6}$' })),
  position: optional(oneOf('Corner of the page. Default: right.', ['right', 'left'])),
  theme: optional(oneOf('Default: auto, the setting of the visitor’s system.', ['auto', 'light', 'dark'])),
  language: optional(
    oneOf('Language of the buttons. Default: auto, the language of the page.', ['auto', 'en', 'ru']),
  ),
});

export type WidgetLook = Static<typeof WidgetLook>;

/**
 * A widget's public token is the uuid of its channel, which every page shows in its script tag. The settings
 * therefore have none.
 */
export const WidgetSettings = Type.Object({
  ...WidgetLook.properties,
  /**
   * Origins of the pages that may show the widget, such as `https://shop.example`, separated by commas. Without it,
   * any page.
   */
  allowed_origins: optional(
    Type.String({
      description:
        'Origins of the pages that may show the widget, separated by commas; `https://*.shop.example` admits all hosts below. Empty: any page.',
      maxLength: 4096,
      pattern: '^[\\s,]*(https?://[^\\s,/]+/?([\\s,]+|$))*$',
    }),
  ),
  /** The HMAC key by which a page signs its users' identities. Without it every visitor is anonymous. */
  identity_secret: optional(
    Type.String({
      description: 'HMAC key with which your server proves the identity of a signed-in user.',
      minLength: 16,
      secret: true,
    }),
  ),
});

export type WidgetSettings = Static<typeof WidgetSettings>;
