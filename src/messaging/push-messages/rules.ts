import type { ContentKind } from '../../channels/contract/capabilities.ts';
import type { Platform } from '../../channels/contract/platforms.ts';
import { capabilitiesOf, contentKindOf, ownerOfContent, platformsWhere } from '../../channels/registry.ts';
import { areTooLarge, isTooLarge, mostKept } from '../../platform/http/fields.ts';
import { momentOf } from '../../platform/moment.ts';
import { type FieldMessages, Invalid, messages } from '../../platform/problem.ts';
import type { ChatKey, ProfileKey } from '../chats/recipients.ts';
import type { ContentType, PushMessageCreate } from './schema.ts';

const commonPlatforms = platformsWhere(({ ownContent }) => Object.keys(ownContent).length === 0);

/** The platforms from which a profile's chat is chosen. Source: docs/contract.md, section 3. */
export function platformsFor(type: ContentType): readonly Platform[] {
  const platform = ownerOfContent(type);
  return platform ? [platform] : commonPlatforms;
}

/** The platform on which a chat opens for a phone number without one. Null if there is none. */
export function opensOn(type: ContentType): Platform | null {
  const platform = ownerOfContent(type);
  if (!platform) return null;
  const { opensBy, opensWith } = capabilitiesOf(platform);
  return opensBy.includes('phone') && opensWith === needsOf(type) ? platform : null;
}

/** Whether a chat that was named explicitly can take this content. */
export function fits(type: ContentType, platform: string): boolean {
  const owner = ownerOfContent(type);
  return owner === null || owner === platform;
}

export const startsScenario = (type: ContentType): boolean => needsOf(type) === 'node';

export const needsOf = (type: ContentType): ContentKind | null => contentKindOf(type);

const chatKeys = ['uuid', 'telegram_id', 'telegram_username', 'vkontakte_id', 'max_id'] as const;
const profileKeys = ['uuid', 'phone_number', 'external_id'] as const;

/** The rules across several fields. Throws `Invalid` with all broken rules. */
export function checkRules(body: PushMessageCreate): void {
  const problems = problemsOfAddressee(body);
  const missing = missingContent(body.content);
  if (missing) problems.content = { [missing]: [messages.required] };
  if (areTooLarge(Object.values(contentFields(body.content)))) {
    problems.content = { non_field_errors: [messages.maxTotal(mostKept)] };
  }
  for (const kept of ['get_params', 'whatsapp_template_variables'] as const) {
    if (isTooLarge(body.content[kept])) problems.content = { [kept]: [messages.maxLength(mostKept)] };
  }
  if (isTooLarge(body.profile?.attrs)) problems.profile = { attrs: [messages.maxLength(mostKept)] };
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

type Addressee = Pick<PushMessageCreate, 'chat' | 'profile'>;

/** Checks that the body names a client in exactly one way for each of its objects. Throws `Invalid`. */
export function checkAddressee(body: Addressee): void {
  const problems = problemsOfAddressee(body);
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

function problemsOfAddressee({ chat, profile }: Addressee): FieldMessages {
  const problems: FieldMessages = {};
  if (!chat && !profile) problems.non_field_errors = ['Either chat or profile is required.'];
  if (chat) requireOne(problems, 'chat', chat, chatKeys);
  if (profile) requireOne(problems, 'profile', profile, profileKeys);
  return problems;
}

function requireOne<Key extends string>(
  problems: FieldMessages,
  field: string,
  value: { [key in Key]?: unknown },
  keys: readonly Key[],
): void {
  if (keys.filter((key) => value[key] !== undefined).length !== 1) {
    problems[field] = { non_field_errors: [`Exactly one of ${keys.join(', ')} is required.`] };
  }
}

/** The single identifier, whose presence `checkRules` has checked. */
export function chatKey(chat: PushMessageCreate['chat']): ChatKey | null {
  if (!chat) return null;
  const { uuid, telegram_id, telegram_username, vkontakte_id, max_id } = chat;
  if (uuid !== undefined) return { uuid };
  if (telegram_id !== undefined) return { telegram_id };
  if (telegram_username !== undefined) return { telegram_username };
  if (vkontakte_id !== undefined) return { vkontakte_id };
  return max_id === undefined ? null : { max_id };
}

/** The same for a profile. */
export function profileKey(profile: PushMessageCreate['profile']): ProfileKey | null {
  if (!profile) return null;
  const { uuid, phone_number, external_id } = profile;
  if (uuid !== undefined) return { uuid };
  if (phone_number !== undefined) return { phone_number };
  return external_id === undefined ? null : { external_id };
}

function missingContent(content: PushMessageCreate['content']): 'text' | 'node' | 'whatsapp_template' | null {
  const needs = needsOf(content.type);
  if (needs === 'text' && content.text === undefined) return 'text';
  if (needs === 'node' && content.node === undefined) return 'node';
  if (needs === 'template' && content.whatsapp_template === undefined) return 'whatsapp_template';
  return null;
}

/** Rounds down to the minute. Source: docs/contract.md, section 3. */
export function launchMoment(launchAt: string | null | undefined): Date | null {
  if (!launchAt) return null;
  const minute = 60_000;
  return new Date(Math.floor(momentOf(launchAt).getTime() / minute) * minute);
}

/** In the past or absent: due now. */
export const dueMoment = (launch: Date | null, now: Date): Date => (launch && launch > now ? launch : now);

/** The content's stored and echoed part: its known fields, without the type. */
export function contentFields(
  content: PushMessageCreate['content'],
): Omit<PushMessageCreate['content'], 'type'> {
  const { text, node, get_params, whatsapp_template, whatsapp_template_variables } = content;
  return {
    text,
    node: node && { name: node.name },
    get_params,
    whatsapp_template: whatsapp_template && { pid: whatsapp_template.pid },
    whatsapp_template_variables,
  };
}
