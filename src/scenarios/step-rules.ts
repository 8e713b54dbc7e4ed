import { groupsNamedIn } from '../clients/filters/promocode-names.ts';
import { placeholdersOf } from '../platform/placeholders.ts';
import { type FieldMessages, Invalid } from '../platform/problem.ts';
import { filterOf } from './cases.ts';
import { durationMs, isMoment, longestWaitMs } from './moments.ts';
import type { Step, StepOf } from './schema.ts';
import { secretsNamedIn } from './secret-names.ts';

/** Faults that no single field of a step shows, by the field to correct. Empty without any. */
export const stepProblems = (step: Step): FieldMessages => ({
  ...codeProblems(step),
  ...secretProblems(step),
  ...fieldProblems(step),
});

/** The fields whose placeholders may take a promo code: the parts of a message. */
const codeFields: Partial<Record<Step['type'], readonly string[]>> = {
  message: ['text', 'image', 'document', 'buttons'],
  ask: ['text'],
  operator: ['text'],
};

function codeProblems(step: Step): FieldMessages {
  const taking = Object.entries(step).filter(([, value]) => groupsNamedIn(JSON.stringify(value)).length > 0);
  const misplaced = taking.filter(([field]) => !codeFields[step.type]?.includes(field));
  return Object.fromEntries(misplaced.map(([field]) => [field, ['No promo code is taken here.']]));
}

/** The fields that go to one host, and are stored nowhere. */
const secretFields = ['headers', 'body'];

function secretProblems(step: Step): FieldMessages {
  const asking = Object.entries(step).filter(([, value]) => secretsNamedIn(JSON.stringify(value)).length > 0);
  const misplaced = asking.filter(([field]) => step.type !== 'request' || !secretFields.includes(field));
  const complaint = 'A secret stands in the headers and the body of a request, and nowhere else.';
  return Object.fromEntries(misplaced.map(([field]) => [field, [complaint]]));
}

function fieldProblems(step: Step): FieldMessages {
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
        ...(groupsNamedIn(step.text).length > 0 &&
          step.retry?.text === undefined && {
            retry: { text: ['A question that takes a promo code is asked again in other words.'] },
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
    case 'request':
      return requestProblems(step);
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

function requestProblems({ url, headers = {}, keep = {} }: StepOf<'request'>): FieldMessages {
  const wrongHeaders = Object.keys(headers).flatMap((name) => {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(name)) return [`"${name}" is no name of a header.`];
    return ownHeaders.has(name.toLowerCase()) ? [`${name} is set by Patchbay.`] : [];
  });
  const wrongPointers = Object.entries(keep).filter(([, pointer]) => !/^(\/|$)/.test(pointer));
  return {
    ...(!/^(https?:\/\/|\{\{)/i.test(url) && { url: ['Enter a valid URL.'] }),
    ...(wrongHeaders.length > 0 && { headers: wrongHeaders }),
    ...(wrongPointers.length > 0 && {
      keep: Object.fromEntries(
        wrongPointers.map(([name]) => [name, ['A JSON Pointer begins with a slash, as in "/items/0/name".']]),
      ),
    }),
  };
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

function caseProblems(cases: StepOf<'branch'>['cases']): FieldMessages {
  const problems = cases.flatMap(({ when }, index) => {
    try {
      filterOf(when);
      return [];
    } catch (error) {
      if (!(error instanceof Invalid)) throw error;
      return [[index, error.fields] as const];
    }
  });
  return problems.length > 0 ? { cases: Object.fromEntries(problems) } : {};
}
