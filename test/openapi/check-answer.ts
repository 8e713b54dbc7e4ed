import type { Document, Operation, Response } from '../../src/openapi/types.ts';
import { programDocument } from './program-document.ts';
import { type Complain, validatorsOf } from './validators.ts';

export type Given = { status: number; headers: Headers; text: string };

type Checker = (method: string, target: string, answer: Given) => void;

let checker: Promise<Checker> | undefined;

/** Fails when a partner was answered anything that the API's description does not say. */
export async function checkAnswer(method: string, target: string, answer: Given): Promise<void> {
  if (!target.startsWith('/api/partners/') || method === 'OPTIONS' || method === 'HEAD') return;
  checker ??= programDocument().then(checkerFor);
  (await checker)(method, target, answer);
}

/** A request that came too slowly, or with too long an address: it was not read as one of an operation. */
const transport = [408, 431];

function checkerFor(document: Document): Checker {
  const complain = validatorsOf(document);
  const patterns = Object.keys(document.paths)
    .sort(literalFirst)
    .map((path) => ({ path, pattern: patternOf(path) }));

  return (method, target, answer) => {
    const pathname = target.replace(/[?#].*$/s, '');
    const path = patterns.find(({ pattern }) => pattern.test(pathname))?.path;
    if (path === undefined) return;
    const verb = method.toLowerCase();
    const operation = document.paths[path]?.[verb];
    const isBefore = transport.includes(answer.status) || (!operation && answer.status === 405);
    const wrong = isBefore
      ? complain(['components', 'schemas', 'Problem'], JSON.parse(answer.text))
      : operation
        ? problemOf(document, complain, ['paths', path, verb], operation, answer)
        : 'the method is not described';
    if (wrong === undefined) return;
    const said = answer.text.slice(0, 2_000);
    throw new Error(`${method} ${path} answered ${answer.status} against its description: ${wrong}\n${said}`);
  };
}

/** `/profiles/audit/` is no `/profiles/{uuid}/`: the brace comes behind all letters. */
const literalFirst = (a: string, b: string): number => (a < b ? -1 : 1);

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replace(/\/$/, '/?')}$`);

function problemOf(
  document: Document,
  complain: Complain,
  place: string[],
  operation: Operation,
  { status, headers, text }: Given,
): string | undefined {
  const name = status >= 500 ? '5XX' : String(status);
  const described = operation.responses[name];
  if (!described) return 'the status is not described';
  const reference = '$ref' in described ? described.$ref.slice(2).split('/') : undefined;
  const response = reference ? document.components.responses[reference.at(-1) ?? ''] : undefined;
  const { content, headers: expected = {} }: Response =
    '$ref' in described ? (response ?? unknownResponse) : described;
  const absent = Object.keys(expected).filter(
    (header) => document.components.headers[header]?.required && status < 500 && !headers.has(header),
  );
  if (absent.length > 0) return `it has no ${absent.join(', ')}`;
  if (!content) return text === '' ? undefined : 'it should have no body';
  const where = reference ?? [...place, 'responses', name];
  return complain([...where, 'content', 'application/json', 'schema'], JSON.parse(text));
}

const unknownResponse: Response = { description: 'not there' };
