import { groupsNamedIn } from '../clients/filters/promocode-names.ts';
import { audiencesIn } from './audiences.ts';
import type { Scenario } from './schema.ts';

/** The objects that a scenario names. */
export type Names = {
  promocode_groups: string[];
  scenarios: string[];
  attributes: string[];
  tags: string[];
  audiences: string[];
};

/** The objects that a scenario needs in the project, as far as its file shows: placeholders are not filled. */
export function namesIn({ name, steps }: Scenario): Names {
  const names: Names = {
    promocode_groups: groupsNamedIn(JSON.stringify(steps)),
    scenarios: [],
    attributes: [],
    tags: [],
    audiences: audiencesIn({ steps }),
  };
  for (const step of steps) {
    switch (step.type) {
      case 'ask':
        if (step.keep?.attribute !== undefined) names.attributes.push(step.keep.attribute);
        break;
      case 'set':
        names.attributes.push(...Object.keys(step.attributes ?? {}));
        names.tags.push(...(step.add_tags ?? []).filter(isPlain));
        break;
      case 'promocode':
        names.promocode_groups.push(step.group);
        break;
      case 'goto':
        if (step.scenario !== undefined && step.scenario !== name && isPlain(step.scenario)) {
          names.scenarios.push(step.scenario);
        }
        break;
      case 'message':
      case 'branch':
      case 'wait':
      case 'request':
      case 'operator':
      case 'end':
        break;
    }
  }
  return names;
}

const isPlain = (text: string): boolean => !text.includes('{{');
