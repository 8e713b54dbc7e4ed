import { channelAddress, type Channel as StoredChannel } from '../../../channels/connected/channels.ts';
import type { Checked } from '../../../channels/connected/check.ts';
import { warningsOfRow } from '../../../channels/connected/health.ts';
import {
  givenNames,
  isAddress,
  isSecret,
  keyword,
  splitSettings,
} from '../../../channels/connected/settings.ts';
import type { Adapter } from '../../../channels/contract/adapter.ts';
import type { Field } from '../../../channels/contract/guide.ts';
import { adapterFor } from '../../../channels/registry.ts';
import type { JsonValue } from '../../../platform/http/fields.ts';
import type { FailureRow } from './deliveries-store.ts';
import type {
  Channel,
  ChannelAccount,
  ChannelDetails,
  CheckedSettings,
  FailureList,
  FirstMessage,
  Messenger,
  Setting,
} from './schema.ts';
import {
  type ChannelRow,
  type ChatRow,
  countedMessages,
  type FirstMessageRow,
  type Queued,
} from './store.ts';

export const presentMessenger = (adapter: Adapter): Messenger => ({
  platform: adapter.platform,
  settings: adapter.guide.before
    .flatMap(({ fields = [] }) => fields)
    .flatMap((field) => presentSetting(adapter.settings, field)),
  can_check: adapter.learn !== undefined || adapter.setup !== undefined,
  guide: adapter.guide,
  checked: [...(adapter.check?.needs ?? [])],
  opens_by_phone: opensByPhone(adapter),
  takes_templates: adapter.submitTemplate !== undefined,
});

/** Whether a text may be the first message to a phone number. */
export const opensByPhone = ({ opensBy, opensWith }: Adapter): boolean =>
  opensBy.includes('phone') && opensWith === 'text';

/** In the order and the words of the guide. */
function presentSetting(schema: Adapter['settings'], { name, label, help, canMake }: Field): Setting[] {
  const type = typeOf(schema, name);
  if (!type) return [];
  return [
    {
      name,
      label,
      help: help ?? null,
      type,
      can_make: canMake ?? null,
      choices: choicesOf(schema, name),
      secret: isSecret(schema, name),
      required: schema.required?.includes(name) ?? false,
    },
  ];
}

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

export const presentChannel = (row: ChannelRow, now: Date): Channel => ({
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
  warnings: warningsOfRow(row, now),
});

function learntIn({ learnt, learnt_from, learnt_until }: ChannelRow): Channel['learnt'] {
  if (learnt === null || learnt_from === null || learnt_until === null) return null;
  return { per_second: learnt, ...learnt_from, until: learnt_until.toISOString() };
}

type Parts = {
  now: Date;
  row: ChannelRow;
  queued: Queued;
  channel: StoredChannel;
  publicUrl: string;
  chats: { hasChats: boolean; newest: ChatRow | null };
};

export function presentDetails({ now, row, queued, channel, publicUrl, chats }: Parts): ChannelDetails {
  const adapter = adapterFor(channel.platform);
  const { open, secret } = splitSettings(adapter.settings, channel.settings);
  const given = new Set(givenNames(adapter.settings));
  const isToldByHand = adapter.routes.length > 0 && !adapter.registersAddress;
  return {
    ...presentChannel(row, now),
    waiting_of_mailings: queued.of_mailings,
    waiting_since: queued.since?.toISOString() ?? null,
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

export const presentChecked = ({ problems, account, refusal }: Checked): CheckedSettings => ({
  problems: Object.fromEntries(
    Object.entries(problems).map(([name, found]) => [name, Array.isArray(found) ? found : []]),
  ),
  is_accepted: account !== null,
  facts: [...(account?.facts ?? [])],
  refusal,
});

export function presentAccount(
  { guide }: Adapter,
  { account, refusal }: Omit<Checked, 'problems'>,
  values: { readonly [name: string]: string },
): ChannelAccount {
  const wanted = new Set(guide.after.flatMap(({ gives = [] }) => gives));
  return {
    facts: [...(account?.facts ?? [])],
    link: account?.link ?? null,
    refusal,
    gives: Object.fromEntries(Object.entries(values).filter(([name]) => wanted.has(name))),
  };
}

export const presentFirstMessage = (
  calledAt: Date | null,
  message: FirstMessageRow | null,
): FirstMessage => ({
  called_at: calledAt?.toISOString() ?? null,
  message: message && {
    chat: { uuid: message.chat_id, name: message.chat_name },
    text: message.text,
    at: message.at.toISOString(),
  },
});
