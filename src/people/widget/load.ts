import { openChannel } from '../../channels/connected/channels.ts';
import { findChannelsById } from '../../channels/connected/store.ts';
import { widgetPlatform } from '../../channels/messengers/widget/capabilities.ts';
import { WidgetSettings } from '../../channels/messengers/widget/settings.ts';
import type { ChatChannel } from '../../messaging/chats/store.ts';
import type { Context } from '../../platform/context.ts';
import { credentials, HttpProblem, Unauthorized } from '../../platform/http/errors.ts';
import { reader } from '../../platform/http/validation.ts';
import { admitsOrigin, isStranger, keyVersion as versionOf } from './rules.ts';
import type { ChatAddress } from './store.ts';
import type { Page, Visitor } from './visitor.ts';

export type Widget = ChatChannel & { platform: typeof widgetPlatform; settings: WidgetSettings };

const readSettings = reader(WidgetSettings);

/** The widget channel that a path names, for a page that may show it. A browser names its page in every POST. */
export async function loadForPage(
  context: Context,
  { origin }: Page,
  { channel }: { channel: string },
): Promise<Widget | undefined> {
  const widget = await loadWidget(context, channel);
  if (widget && !admitsOrigin(widget.settings.allowed_origins, origin ?? '')) throw notHere();
  return widget;
}

/**
 * The widget channel, for a page that wants to draw it. A page of our own address sends no origin, and gets no
 * secret.
 */
export async function loadForLook(
  context: Context,
  { origin }: Page,
  { channel }: { channel: string },
): Promise<Widget | undefined> {
  const widget = await loadWidget(context, channel);
  if (widget && origin !== null && !admitsOrigin(widget.settings.allowed_origins, origin)) throw notHere();
  return widget;
}

/** The chat of a visitor, through the channel that their session was opened for. */
export async function loadForVisitor(
  context: Context,
  { channelId, address, origin, keyVersion }: Visitor,
  { channel }: { channel: string },
): Promise<{ widget: Widget; chat: ChatAddress } | undefined> {
  if (channel.toLowerCase() !== channelId) return undefined;
  const widget = await loadWidget(context, channelId);
  if (!widget) return undefined;
  if (origin !== null && !admitsOrigin(widget.settings.allowed_origins, origin)) throw notHere();
  if (!isVouchedFor({ address, keyVersion }, widget)) throw new Unauthorized(credentials.incorrect);
  return { widget, chat: { projectId: widget.projectId, channelId, address } };
}

/** True for an anonymous visitor, and for a user while the key that signed their identity is valid. */
export function isVouchedFor(
  { address, keyVersion }: Pick<Visitor, 'address' | 'keyVersion'>,
  { settings: { identity_secret: secret } }: Pick<Widget, 'settings'>,
): boolean {
  return isStranger(address) || (secret !== undefined && keyVersion === versionOf(secret));
}

async function loadWidget(context: Context, id: string): Promise<Widget | undefined> {
  return (await loadWidgets(context, [id])).get(id);
}

/** Those of these channels that are widgets, by their ids. */
export async function loadWidgets(
  { sql, vault }: Pick<Context, 'sql' | 'vault'>,
  ids: readonly string[],
): Promise<Map<string, Widget>> {
  const rows = await findChannelsById(sql, ids);
  const widgets = rows.flatMap((row) => {
    if (row?.platform !== widgetPlatform) return [];
    const channel = openChannel(row, vault);
    return [{ ...channel, platform: widgetPlatform, settings: readSettings(channel.settings) }];
  });
  return new Map(widgets.map((widget) => [widget.id, widget]));
}

const notHere = () => new HttpProblem(403, 'This page is not allowed to show this widget.');
