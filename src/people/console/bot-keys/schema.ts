import Type, { type Static } from 'typebox';
import { DateTime, Line, Uuid } from '../../../platform/http/fields.ts';
import { PageOf } from '../../../platform/http/pages.ts';

export const BotKey = Type.Object({ uuid: Uuid, name: Type.String(), created_at: DateTime });

export type BotKey = Static<typeof BotKey>;

export const BotKeys = PageOf(BotKey);

export const BotKeyName = Type.Object({ name: Line(255) });

export type BotKeyName = Static<typeof BotKeyName>;

/** The key is shown only this once. */
export const NewBotKey = Type.Object({ uuid: Uuid, key: Uuid });

export type NewBotKey = Static<typeof NewBotKey>;
