import type { Kind, Raw } from './graph.ts';

/** A step as the menu adds it: what it must have, still empty. */
export function newStep(kind: Kind, id: string): Raw {
  const step = { id, type: kind };
  switch (kind) {
    case 'message':
    case 'ask':
      return { ...step, text: '' };
    case 'branch':
      return { ...step, cases: [] };
    case 'wait':
      return { ...step, for: { hours: 1 } };
    case 'request':
      return { ...step, url: '' };
    case 'promocode':
      return { ...step, group: '', variable: 'code' };
    case 'goto':
    case 'set':
    case 'operator':
    case 'end':
      return step;
  }
}
