import { channelAddress, type Channel as StoredChannel } from '../../../channels/connected/channels.ts';
import {
  givenNames,
  isAddress,
  isSecret,
  keyword,
  splitSettings,
} from '../../../channels/connected/settings.ts';
import type { Adapter } from '../../../channels/contract/adapter.ts';
import { adapterFor } from '../../../channels/registry.ts';
import type { JsonValue } from '../../../platform/http/fields.ts';
import type { FailureRow } from './deliveries-store.ts';
import type { Channel, ChannelDetails, FailureList, Messenger, Setting } from './schema.ts';
import { type ChannelRow, type ChatRow, countedMessages } from './store.ts';

export const presentMessenger = ({ platform, settings, learn, setup }: Adapter): Messenger => ({
  platform,
  settings: givenNames(settings).flatMap((name) => {
    const type = typeOf(settings, name);
    if (!type) return [];
    return [
      {
        name,
        type,
        description: String(keyword(settings, name, 'description') ?? ''),
        choices: choicesOf(settings, name),
        secret: isSecret(settings, name),
        required: settings.required?.includes(name) ?? false,
      },
    ];
  }),
  can_check: learn !== undefined || setup !== undefined,
});

/** Null for a setting without a form field: such settings have their own page. */
function typeOf(schema: Adapter['settings'], name: string): Setting['type'] | null {
  if (choicesOf(schema, name).length > 0) return 'choice';
  switch (keyword(schema, name, 'type')) {
    case 'string':
      return isAddress(schema, name) ? 'address' : 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'switch';
    default:
      return null;
  }
}

function choicesOf(schema: Adapter['settings'], name: string): string[] {
  const choices = keyword(schema, name, 'enum');
  return Array.isArray(choices) ? choices.map(String) : [];
}

export const presentChannel = (row: ChannelRow): Channel => ({
  uuid: row.id,
  platform: row.platform,
  name: row.name,
  state: row.state,
  state_detail: row.state_detail,
  paused_by: row.paused_by,
  rate: row.rate,
  rate_ceiling: row.rate_ceiling,
  learnt: learntIn(row),
  resume_at: row.resume_at?.toISOString() ?? null,
  waiting: Math.min(row.waiting, countedMessages),
  waiting_more: row.waiting > countedMessages,
});

function learntIn({ learnt, learnt_from, learnt_until }: ChannelRow): Channel['learnt'] {
  if (learnt === null || learnt_from === null || learnt_until === null) return null;
  return { per_second: learnt, ...learnt_from, until: learnt_until.toISOString() };
}

type Parts = {
  row: ChannelRow;
  channel: StoredChannel;
  publicUrl: string;
  chats: { hasChats: boolean; newest: ChatRow | null };
};

export function presentDetails({ row, channel, publicUrl, chats }: Parts): ChannelDetails {
  const adapter = adapterFor(channel.platform);
  const { open, secret } = splitSettings(adapter.settings, channel.settings);
  const given = new Set(givenNames(adapter.settings));
  const isToldByHand = adapter.routes.length > 0 && !adapter.registersAddress;
  return {
    ...presentChannel(row),
    settings: Object.fromEntries(
      Object.entries(open)
        .filter(([name]) => given.has(name))
        .filter(isPlain),
    ),
    secrets: Object.keys(secret).filter((name) => given.has(name)),
    address: isToldByHand ? channelAddress(publicUrl, channel) : null,
    has_chats: chats.hasChats,
    newest_chat: chats.newest && {
      uuid: chats.newest.id,
      name: chats.newest.name,
      created_at: chats.newest.created_at.toISOString(),
    },
    created_at: row.created_at.toISOString(),
  };
}

const isPlain = (entry: [string, unknown]): entry is [string, JsonValue] =>
  ['string', 'number', 'boolean'].includes(typeof entry[1]);

export const presentFailure = (row: FailureRow): FailureList['results'][number] => ({
  uuid: row.id,
  state: row.state,
  reason: row.state_detail,
  chat: { uuid: row.chat_id, name: row.chat_name },
  at: row.at.toISOString(),
});
