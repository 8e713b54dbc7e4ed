import type { Subject } from './filter.ts';

/** The named fields. Any other key is the name of a variable or an attribute. */
const chatFields = new Map<string, Subject>([
  ['platform', { kind: 'text', record: 'chat', field: 'platform' }],
  ['uuid', { kind: 'text', record: 'chat', field: 'uuid' }],
  ['name', { kind: 'text', record: 'chat', field: 'name' }],
  ['username', { kind: 'text', record: 'chat', field: 'username' }],
  ['phone', { kind: 'text', record: 'chat', field: 'phone' }],
  ['created_at', { kind: 'moment', record: 'chat', field: 'created_at' }],
  ['timezone', { kind: 'text', record: 'profile', field: 'timezone' }],
  ['pda_agreed', { kind: 'moment', record: 'profile', field: 'pda_agreed' }],
]);

const profileFields = new Map<string, Subject>([
  ['timezone', { kind: 'text', record: 'profile', field: 'timezone' }],
  ['pda_agreed', { kind: 'moment', record: 'profile', field: 'pda_agreed' }],
  ['phone_number', { kind: 'text', record: 'profile', field: 'phone_number' }],
  ['external_id', { kind: 'text', record: 'profile', field: 'external_id' }],
  ['email', { kind: 'text', record: 'profile', field: 'email' }],
  ['name', { kind: 'text', record: 'profile', field: 'name' }],
  ['created_at', { kind: 'moment', record: 'profile', field: 'created_at' }],
]);

const tagKeys = new Set(['tag', 'name']);

/**
 * The subject of a key in a condition of this type, or null if the type has no such key. Source: docs/contract.md,
 * section 5.
 */
export function subjectOf(type: ConditionType, key: string): Subject | null {
  switch (type) {
    case 'attribute':
      return chatFields.get(key) ?? { kind: 'value', record: 'variables', name: key };
    case 'profile_attribute':
      return profileFields.get(key) ?? { kind: 'value', record: 'attrs', name: key };
    case 'profile_tag':
      return tagKeys.has(key) ? { kind: 'tags' } : null;
  }
}

export const conditionTypes = ['attribute', 'profile_attribute', 'profile_tag'] as const;

export type ConditionType = (typeof conditionTypes)[number];

export const isConditionType = (value: unknown): value is ConditionType =>
  conditionTypes.some((type) => type === value);
