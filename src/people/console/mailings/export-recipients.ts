import type { Member } from '../../../access/auth/member.ts';
import { findMailing } from '../../../mailings/store.ts';
import { actionFor } from '../../../platform/http/action.ts';
import { sendCsv } from '../../../platform/http/csv-download.ts';
import { UuidParams } from '../../../platform/http/fields.ts';
import { type Headings, headingsIn, InLanguage } from '../headings.ts';
import { countedReactions, stateOf } from './recipients.ts';
import { type ExportedRow, recipientsBehind } from './recipients-store.ts';

const headings: Headings = {
  en: [
    'client',
    'client_uuid',
    'external_id',
    'phone',
    'address',
    'platform',
    'run',
    'variant',
    'state',
    'reason',
    'sent_at',
    'delivered_at',
    'read_at',
    'link_followed_at',
    'button_pressed_at',
    'replied_at',
  ],
  ru: [
    'клиент',
    'uuid клиента',
    'внешний id',
    'телефон',
    'адрес',
    'платформа',
    'запуск',
    'вариант',
    'состояние',
    'причина',
    'отправлено',
    'доставлено',
    'прочитано',
    'переход по ссылке',
    'нажатие кнопки',
    'ответ',
  ],
};

/** GET /console/api/mailings/{uuid}/recipients/export/: every recipient of all runs as a CSV file, which is streamed. */
export const exportRecipients = actionFor<Member>()({
  params: UuidParams,
  query: InLanguage,
  load: ({ sql }, { projectId }, { uuid }) => findMailing(sql, projectId, uuid),
  handle: ({ context: { sql, clock }, principal: { projectId }, query, loaded, reply }) => {
    const now = clock.now();
    return sendCsv(reply, {
      projectId,
      name: 'recipients.csv',
      head: headingsIn(headings, query),
      rowsBehind: (id, count) => recipientsBehind(sql, { projectId, id: loaded.id }, id, count),
      cellsOf: (row) => cellsOf(row, now),
    });
  },
});

function cellsOf(row: ExportedRow, now: Date): (string | null)[] {
  const { jumped_at, clicked_at, replied_at } = countedReactions(row);
  return [
    row.name,
    row.profile_id,
    row.external_id,
    row.phone_number,
    row.address,
    row.platform,
    String(row.mailing_run),
    row.variant === null ? null : String(row.variant),
    stateOf(row.state),
    reasonOf(row, now),
    iso(row.sent_at),
    iso(row.delivered_at),
    iso(row.read_at),
    iso(jumped_at),
    iso(clicked_at),
    iso(replied_at),
  ];
}

function reasonOf({ state, state_detail, due_at }: ExportedRow, now: Date): string {
  if (state !== 'PENDING' || due_at === null || due_at <= now) return state_detail;
  return `${state_detail} Waits until ${due_at.toISOString()}.`.trimStart();
}

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;
