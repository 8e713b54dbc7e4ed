import Type, { type Static } from 'typebox';

/**
 * A widget's public token is the uuid of its channel, which every page shows in its script tag; so there is none here.
 */
export const WidgetSettings = Type.Object({
  /** Origins of the pages that may show the widget, such as `https://shop.example`, separated by commas; without it, any page. */
  allowed_origins: Type.Optional(Type.String()),
  /** Key of the HMAC by which a page vouches for its signed-in user. Without it every visitor is anonymous. */
  identity_secret: Type.Optional(Type.String({ minLength: 16, secret: true })),
});

export type WidgetSettings = Static<typeof WidgetSettings>;
