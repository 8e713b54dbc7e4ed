import { parseFilter } from '../filters/parse.ts';
import { placeholdersOf } from '../lib/placeholders.ts';
import { type FieldMessages, Invalid } from '../lib/problem.ts';
import { durationMs, isMoment, longestWaitMs } from './moments.ts';
import type { Step } from './schema.ts';
import { groupsIn } from './texts.ts';

/** What no single field of a step shows, by the field to be corrected. Empty when all is well. */
export function stepProblems(step: Step): FieldMessages {
  switch (step.type) {
    case 'message': {
      const { text, image, document } = step;
      if (image !== undefined && document !== undefined) {
        return { document: ['A message carries an image or a document, not both.'] };
      }
      return (text ?? image ?? document) ? {} : { text: ['A message needs a text, an image or a document.'] };
    }
    case 'ask':
      return {
        ...(step.check === 'choice' && !step.options && { options: ['A choice needs options.'] }),
        ...(step.check !== 'choice' && step.options && { options: ['Only a choice has options.'] }),
        ...(groupsIn(step.retry?.text ?? '').length > 0 && {
          retry: { text: ['No promo code is taken here.'] },
        }),
        ...(step.timeout && durationProblem('timeout', step.timeout.after)),
      };
    case 'branch':
      return caseProblems(step.cases);
    case 'wait': {
      const named = [step.for, step.until, step.at].filter((one) => one !== undefined);
      if (named.length !== 1) return { non_field_errors: ['Exactly one of for, until, at is required.'] };
      const { until } = step;
      if (until !== undefined && placeholdersOf(until).length === 0 && !isMoment(until)) {
        return { until: ['Enter a moment in ISO 8601 with a zone.'] };
      }
      return step.for ? durationProblem('for', step.for) : {};
    }
    case 'request': {
      const refused = Object.keys(step.headers ?? {}).filter((name) => ownHeaders.has(name.toLowerCase()));
      return refused.length > 0 ? { headers: refused.map((name) => `${name} is set by Patchbay.`) } : {};
    }
    case 'goto':
      return (step.step === undefined) === (step.scenario === undefined)
        ? { non_field_errors: ['Exactly one of step, scenario is required.'] }
        : {};
    case 'set':
    case 'promocode':
    case 'operator':
    case 'end':
      return {};
  }
}

const ownHeaders = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'idempotency-key',
  'upgrade',
]);

function durationProblem(field: string, duration: Parameters<typeof durationMs>[0]): FieldMessages {
  const ms = durationMs(duration);
  if (ms <= 0) return { [field]: ['Say how long: seconds, minutes, hours, days.'] };
  return ms > longestWaitMs ? { [field]: ['At most 366 days.'] } : {};
}

function caseProblems(cases: readonly { when: unknown }[]): FieldMessages {
  const problems = cases.flatMap(({ when }, index) => {
    try {
      parseFilter(when, 'when');
      return [];
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      return [[index, error.fields] as const];
    }
  });
  return problems.length > 0 ? { cases: Object.fromEntries(problems) } : {};
}
