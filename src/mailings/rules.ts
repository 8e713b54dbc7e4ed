import { areTooLarge, isTooLarge, mostKept } from '../platform/http/fields.ts';
import { momentOf } from '../platform/moment.ts';
import { type FieldMessages, Invalid, messages } from '../platform/problem.ts';
import { isSchedule, nextMoment } from './schedule.ts';
import { type ContentType, type MailingCreate, mostJson } from './schema.ts';

/** The content type, derived from the body if it is not given. Null without content. */
export function contentTypeOf(body: MailingCreate): ContentType | null {
  if (body.content_type) return body.content_type;
  const own = hasNode(body) ? 'NODE' : body.text ? 'TEXT' : null;
  if (!body.template_whatsapp) return own;
  return own ? 'MIXED' : 'TEMPLATE_WHATSAPP';
}

export const hasNode = ({ node, node_name }: MailingCreate): boolean =>
  (node ?? null) !== null || (node_name ?? null) !== null;

export const needsTemplate = (type: ContentType): boolean => type === 'TEMPLATE_WHATSAPP' || type === 'MIXED';

/** `MIXED` has the node, or else the text, for recipients who do not get the template. */
export const saysByNode = (type: ContentType, body: MailingCreate): boolean =>
  type === 'NODE' || (type === 'MIXED' && hasNode(body));

/** Whether the body names an audience, even an empty one. Without one the mailing is a draft. */
export const hasAudience = (body: MailingCreate): boolean =>
  [body.filter_chats, body.customer_filter_file, body.customer_filter_array, body.phone_numbers_file].some(
    (audience) => (audience ?? null) !== null,
  );

/**
 * Checks the rules over several fields, and returns the content type. A draft needs no content yet, and counts as a
 * text until then. Throws `Invalid` with every broken rule.
 */
export function checkRules(body: MailingCreate): ContentType {
  const problems: FieldMessages = {};
  const type = contentTypeOf(body);
  if (type === null && hasAudience(body)) problems.content_type = [messages.required];
  if (type === 'TEXT' && !body.text) problems.text = [messages.required];
  if (type === 'NODE' && !hasNode(body)) problems.node = [messages.required];
  if (type === 'MIXED' && !hasNode(body) && !body.text) problems.text = [messages.required];
  if (type && needsTemplate(type) && !body.template_whatsapp)
    problems.template_whatsapp = [messages.required];
  if ((body.customer_filter_file || body.customer_filter_array) && !body.customer_filter_field) {
    problems.customer_filter_field = [messages.required];
  }
  if (body.regular_cron && !isSchedule(body.regular_cron)) {
    problems.regular_cron = ['Enter five fields: minute, hour, day of month, month, day of week.'];
  }
  for (const field of ['filter_chats', 'node_get_params', 'template_variables'] as const) {
    const most = mostJson[field];
    if (isTooLarge(body[field], most)) problems[field] = [messages.maxLength(most)];
  }
  if (
    Object.keys(problems).length === 0 &&
    areTooLarge([body.text, body.node_get_params, body.template_variables])
  ) {
    problems.non_field_errors = [messages.maxTotal(mostKept)];
  }
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
  return type ?? 'TEXT';
}

/**
 * The time of the first run, or null for a draft. With a schedule it is the first moment not before `planned_at`.
 * Throws `Invalid` for a schedule without any moment.
 */
export function firstMoment(body: MailingCreate, now: Date): Date | null {
  const planned = body.planned_at ? momentOf(body.planned_at) : null;
  const moment = momentNotBefore(planned, body.regular_cron ?? null, now);
  return hasAudience(body) ? moment : null;
}

/** The first moment of a start or of a schedule, neither before its planned time nor in the past. */
export function momentNotBefore(planned: Date | null, cron: string | null, now: Date): Date {
  const earliest = planned && planned > now ? planned : now;
  if (!cron) return earliest;
  const moment = nextMoment(cron, new Date(earliest.getTime() - 1));
  if (!moment) throw new Invalid({ regular_cron: ['This schedule never comes.'] });
  return moment;
}
