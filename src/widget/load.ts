import { WidgetSettings } from '../channels/widget/settings.ts';
import type { ChatChannel } from '../chats/store.ts';
import type { Context } from '../context.ts';
import { HttpProblem } from '../http/errors.ts';
import { reader } from '../http/validation.ts';
import { loadChannel } from '../projects/channels.ts';
import { admitsOrigin } from './rules.ts';
import type { ChatAddress } from './store.ts';
import type { Page, Visitor } from './visitor.ts';

export type Widget = ChatChannel & { platform: 'Widget'; settings: WidgetSettings };

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

/** The widget channel, for a page that wants to draw it. A page of our own address names no origin, and learns no secret. */
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
  { channelId, address, origin }: Visitor,
  { channel }: { channel: string },
): Promise<{ widget: Widget; chat: ChatAddress } | undefined> {
  if (channel.toLowerCase() !== channelId) return undefined;
  const widget = await loadWidget(context, channelId);
  if (!widget) return undefined;
  if (origin !== null && !admitsOrigin(widget.settings.allowed_origins, origin)) throw notHere();
  return { widget, chat: { projectId: widget.projectId, channelId, address } };
}

async function loadWidget(context: Context, id: string): Promise<Widget | undefined> {
  const channel = await loadChannel(context, id);
  if (channel?.platform !== 'Widget') return undefined;
  return { ...channel, platform: channel.platform, settings: readSettings(channel.settings) };
}

const notHere = () => new HttpProblem(403, 'This page is not one of those that may show this widget.');
