import fc from 'fast-check';

/** Valid scenarios for tests, and the many ways to write one. */

const words = fc
  .string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
  .map((text) => `${text.replaceAll('{{', '')}x`);
const maybe = <T>(name: string, value: fc.Arbitrary<T>) =>
  fc.option(value, { nil: undefined }).map((one) => (one === undefined ? {} : { [name]: one }));

function stepOf(id: string, to: fc.Arbitrary<string>): fc.Arbitrary<object> {
  const next = maybe('next', to);
  const part = (fields: object) => fc.record({ text: words }).map((text) => ({ ...text, ...fields }));
  const buttons = fc.array(
    fc
      .tuple(part({}), maybe('next', to), maybe('payload', words))
      .map((parts) => Object.assign({}, ...parts)),
    { minLength: 1, maxLength: 3 },
  );
  const when = { all: [{ type: 'attribute', size__icontains: '1' }] };
  const cases = fc.array(
    to.map((one) => ({ when, next: one })),
    { minLength: 1, maxLength: 3 },
  );
  const typed = (type: string, ...fields: fc.Arbitrary<object>[]) =>
    fc.tuple(...fields).map((parts): object => Object.assign({ id, type }, ...parts));
  return fc.oneof(
    typed('message', fc.record({ text: words }), maybe('buttons', buttons), next),
    typed(
      'ask',
      fc.record({ text: words }),
      maybe('failed', to),
      maybe(
        'timeout',
        to.map((one) => ({ after: { hours: 1 }, next: one })),
      ),
      next,
    ),
    typed('branch', fc.record({ cases }), next),
    typed('set', fc.constant({ variables: { 2: 'b', 1: 'a' } }), next),
    typed('wait', fc.constant({ for: { days: 1 } }), next),
    typed('request', fc.constant({ url: 'https://a.test/' }), maybe('failed', to), next),
    typed('promocode', fc.constant({ group: 'Spring', variable: 'code' }), maybe('empty', to), next),
    typed('operator', next),
    typed('goto', fc.record({ step: to })),
    typed('end'),
  );
}

export const scenarios: fc.Arbitrary<object> = fc
  .uniqueArray(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,5}$/), { minLength: 1, maxLength: 9 })
  .chain((ids) =>
    fc.tuple(
      fc.tuple(...ids.map((id) => stepOf(id, fc.constantFrom(...ids)))),
      maybe('start', fc.constantFrom(...ids)),
      maybe('canvas', fc.constant({ positions: { [ids[0] ?? '']: [10, -20] }, zoom: 1.5 })),
      fc.boolean(),
    ),
  )
  .map(([steps, start, canvas, isLast]) =>
    isLast ? { steps, ...start, name: 'A', ...canvas } : { ...canvas, name: 'A', ...start, steps },
  );

/** The same value in different hands: on one line, with wide indents, or with odd spaces. */
export const sources: fc.Arbitrary<string> = fc
  .tuple(scenarios, fc.constantFrom<string | number>(0, 1, 2, 4, '\t'), fc.boolean())
  .map(([scenario, indent, isOdd]) => {
    const text = JSON.stringify(scenario, null, indent);
    return isOdd ? ` ${text.replaceAll('":', '" :')}\n\n` : text;
  });
