import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippet,
} from '@codemirror/autocomplete';
import { type Place, placeAt, propertiesOf, type Range, stepsIn } from './json-tree.ts';
import { type Schema, schemaOf, stepTypes } from './schema.ts';

/** Fields whose value is the id of a step. */
const leadingFields = new Set(['next', 'failed', 'empty', 'start', 'step']);

/** Suggests fields, values and step ids that the published schema allows. */
export function complete(context: CompletionContext): CompletionResult | null {
  const source = context.state.doc.toString();
  const place = placeAt(source, context.pos);
  if (!place) return null;
  const isTyping = place.word.to > place.word.from;
  if (!context.explicit && !isTyping) return null;
  const schema = schemaOf(source, place);
  if (!schema) return null;
  const options = optionsAt(source, place, schema);
  if (options.length === 0) return null;
  const { from, to } = inner(source, place.word);
  return { from, to, options, validFor: /^[\w$ -]*$/ };
}

/** The text without quotation marks. */
function inner(source: string, { from, to }: Range): Range {
  const isQuoted = source[from] === '"';
  const isClosed = isQuoted && to > from + 1 && source[to - 1] === '"';
  return { from: isQuoted ? from + 1 : from, to: isClosed ? to - 1 : to };
}

/** Replaces a word and its quotation marks with a snippet. */
const instead =
  (template: string): Exclude<Completion['apply'], string | undefined> =>
  (view, completion, from, to) => {
    const text = view.state.doc.sliceString(from - 1, to + 1);
    const [before, behind] = [text.startsWith('"') ? 1 : 0, text.endsWith('"') ? 1 : 0];
    snippet(template)(view, completion, from - before, to + behind);
  };

function optionsAt(source: string, place: Place, schema: Schema): Completion[] {
  if (place.kind.what === 'name') return names(source, place, schema);
  const { of } = place.kind;
  if (of === null) return schema.items?.anyOf ? newSteps() : words(schema.items);
  if (leadingFields.has(of)) return stepsIn(source).map(({ id }) => word(id));
  const field = schema.properties?.[of];
  if (of === 'type' && stepTypes.length > 0 && place.path[0] === 'steps') {
    return stepTypes.map(({ name, description }) => ({ ...word(name), info: description }));
  }
  return words(field);
}

/** Fields that the object does not have yet. */
function names(source: string, { nodes, word: at }: Place, schema: Schema): Completion[] {
  const object = nodes.at(-1);
  const there = object
    ? propertiesOf(source, object).filter(({ nameNode }) => nameNode.from !== at.from)
    : [];
  const hasValue = /^\s*:/.test(source.slice(at.to));
  return Object.entries(schema.properties ?? {})
    .filter(([name]) => !there.some((one) => one.name === name))
    .map(([name, field]) => {
      const isRequired = schema.required?.includes(name) === true;
      const written = JSON.stringify(name);
      return {
        label: name,
        type: 'property',
        info: field?.description,
        boost: isRequired ? 1 : 0,
        apply: instead(hasValue ? written : `${written}: ${blank(field)}`),
      };
    });
}

/** A snippet with a placeholder value. */
function blank(field: Schema | undefined): string {
  switch (field?.type) {
    case 'string':
      return '"#{}"';
    case 'array':
      return '[#{}]';
    case 'object':
      return '\\{#{}\\}';
    default:
      return '#{}';
  }
}

const word = (text: string): Completion => ({
  label: text,
  type: 'constant',
  apply: instead(JSON.stringify(text)),
});

function words(field: Schema | undefined): Completion[] {
  if (field?.type === 'boolean') return ['true', 'false'].map((label) => ({ label, type: 'keyword' }));
  return (field?.enum ?? (field?.const === undefined ? [] : [field.const])).map(word);
}

/** Complete steps with their required fields. */
const newSteps = (): Completion[] =>
  stepTypes.map(({ name, description, required }) => {
    const rest = required.filter((field) => field !== 'id' && field !== 'type');
    const fields = [`"id": "#{${name}}"`, `"type": "${name}"`, ...rest.map(blankField)];
    return {
      label: name,
      type: 'class',
      info: description,
      apply: instead(`\\{ ${fields.join(', ')} \\}`),
    };
  });

const blankField = (name: string): string => (name === 'cases' ? '"cases": [#{}]' : `"${name}": "#{}"`);
