import type { Choices } from '../../../../../src/people/console/mailings/draft-schema.ts';
import type { Graph } from '../canvas/graph.ts';
import { isObject } from '../source.ts';
import type { PanelTexts } from './texts.ts';

/** A value that a text can show, and where it comes from. */
export type Variable = { name: string; from: string };

const known = [
  'name',
  'phone',
  'profile.email',
  'profile.external_id',
  'profile.timezone',
  'chat.platform',
  'chat.username',
] as const;

/** Every value that the steps of this scenario store, and what is known of each client. */
export function variablesIn({ cards }: Graph, choices: Choices | undefined, t: PanelTexts): Variable[] {
  const stored = cards.flatMap(({ id, kind, step }): Variable[] => {
    switch (kind) {
      case 'ask': {
        const variable = isObject(step.keep) ? step.keep.variable : null;
        return typeof variable === 'string' ? [{ name: variable, from: t.fromAsk(id) }] : [];
      }
      case 'set':
        return namesOf(step.variables).map((name) => ({ name, from: t.fromSet(id) }));
      case 'request':
        return namesOf(step.keep).map((name) => ({ name, from: t.fromRequest(id) }));
      case 'promocode':
        return typeof step.variable === 'string' ? [{ name: step.variable, from: t.fromPromocode(id) }] : [];
      default:
        return [];
    }
  });
  return [
    ...new Map(stored.map((one) => [one.name, one])).values(),
    ...known.map((name) => ({ name, from: t.known[name] })),
    ...(choices?.attributes ?? []).map((name) => ({ name: `attrs.${name}`, from: t.fromAttribute })),
    ...(choices?.promocode_groups ?? []).map((name) => ({ name: `promocode:${name}`, from: t.fromGroup })),
  ];
}

const namesOf = (record: unknown): string[] => (isObject(record) ? Object.keys(record) : []);
