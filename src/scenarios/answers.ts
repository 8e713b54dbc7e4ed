import type { JsonValue } from '../platform/http/fields.ts';
import { normalizePhone } from '../platform/phone.ts';
import type { StepOf } from './schema.ts';

type Heard = { text: string; payload: string | null };

/** A valid answer in its stored form, and the place of the chosen option. */
export type Checked = { value: JsonValue; option?: number } | null;

/** The client's message as an answer to a question. Null when it is not valid. */
export function checkAnswer(step: StepOf<'ask'>, heard: Heard): Checked {
  const text = heard.text.trim();
  switch (step.check ?? 'any') {
    case 'any':
    case 'text':
      return text === '' ? null : { value: text.slice(0, maxAnswer).toWellFormed() };
    case 'number':
      return asValue(numberIn(text));
    case 'phone':
      return asValue(normalizePhone(text));
    case 'email':
      return asValue(/^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/.test(text) && text.length <= 254 ? text : null);
    case 'date':
      return asValue(dateIn(text));
    case 'choice':
      return chosen(step.options ?? [], heard);
  }
}

const maxAnswer = 4_096;

const asValue = (value: JsonValue | null): Checked => (value === null ? null : { value });

/** Numbers as people write them: `1 200,50` as well as `1200.5`. */
function numberIn(text: string): number | null {
  const plain = text.replace(/(?<=\d)[\s\u00a0](?=\d{3}(\D|$))/g, '').replace(',', '.');
  return /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(plain) ? Number(plain) : null;
}

const isoDay = /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/;
const spokenDay = /^(?<day>\d{1,2})[./](?<month>\d{1,2})[./](?<year>\d{4})$/;

/** A real date written `2026-11-20`, `20.11.2026` or `20/11/2026`, in the form `2026-11-20`. */
function dateIn(text: string): string | null {
  const { year, month, day } = (isoDay.exec(text) ?? spokenDay.exec(text))?.groups ?? {};
  if (!year || !month || !day) return null;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${iso}T00:00:00Z`);
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== iso ? null : iso;
}

type Option = { text: string; value?: string };

/** Chosen by the pressed button, or by its words in any case. */
function chosen(options: readonly Option[], { text, payload }: Heard): Checked {
  const said = [payload, text].map((one) => one?.trim().toLowerCase());
  const place = options.findIndex(({ text, value = text }) =>
    said.some((one) => one === text.toLowerCase() || one === value.toLowerCase()),
  );
  const option = options[place];
  return option ? { value: option.value ?? option.text, option: place } : null;
}
