import type { Facts } from '../../../clients/filters/facts.ts';

const profileFields: readonly (keyof Facts['profile'])[] = [
  'uuid',
  'external_id',
  'phone_number',
  'email',
  'name',
  'timezone',
  'pda_agreed',
  'created_at',
  'tags',
];
const chatFields: readonly (keyof Facts['chat'])[] = [
  'uuid',
  'platform',
  'name',
  'username',
  'phone',
  'created_at',
];

/** Placeholders with an unknown field: `profile.emial`. */
export function unknownFields(placeholders: readonly string[]): string[] {
  return placeholders.filter((placeholder) => {
    const [, record, field] = /^(profile|chat)\.(.+)$/s.exec(placeholder) ?? [];
    if (record === 'profile') return !profileFields.some((known) => known === field);
    return record === 'chat' && !chatFields.some((known) => known === field);
  });
}
