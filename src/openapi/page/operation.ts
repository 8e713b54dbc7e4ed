import type { Content, Document, Operation, Parameter, Response, Schema } from '../types.ts';
import { answered, fieldItem, fieldList, nameOf, sent, typeOf, type View } from './fields.ts';
import { type Html, html, paragraphs, prose } from './html.ts';
import { curlOf, jsonOf } from './samples.ts';

/** An operation: its fields and responses, with samples beside them. */
export function operationSection(
  document: Document,
  method: string,
  path: string,
  operation: Operation,
): Html {
  const { operationId, summary, description = '', parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  return html`<article id="${operationId}">
<div class="words">
${heading(operationId, summary)}
<p class="target"><span class="method ${method.toLowerCase()}">${method}</span> <code>${broken(path)}</code></p>
${description ? paragraphs(description) : undefined}
<p class="access">${accessOf(operation)}</p>
${parameterLists(document, parameters)}
${body && html`<h4>Body</h4>${bodyFields(document, body.schema, sent(document))}`}
<h4>Responses</h4>
<ul class="answers">${Object.entries(responses).map(([status, response]) => answerItem(document, status, response))}</ul>
</div>
<div class="samples">
${curlOf(document, method, path, operation)}
${sampleAnswers(document, operation)}
</div>
</article>`;
}

/** An event. All events have the same headers, which are described once before them. */
export function webhookSection(document: Document, { operationId, summary, requestBody }: Operation): Html {
  const body = requestBody?.content['application/json'];
  const payload = body?.schema.properties?.payload;
  return html`<article id="${operationId}">
<div class="words">
${heading(operationId, operationId)}
${paragraphs(summary)}
${payload && html`<h4>Payload</h4>${bodyFields(document, payload, answered)}`}
</div>
<div class="samples">${body && jsonOf(body.example)}</div>
</article>`;
}

export const objectSection = (document: Document, name: string, schema: Schema, example: unknown): Html =>
  html`<article id="${name}">
<div class="words">
${heading(name, name)}
${schema.description ? paragraphs(schema.description) : undefined}
${bodyFields(document, schema, answered)}
</div>
<div class="samples">${jsonOf(example)}</div>
</article>`;

const heading = (id: string, text: string): Html => html`<h3><a href="#${id}">${text}</a></h3>`;

/** A path may be broken at its slashes. */
const broken = (path: string): Html[] => path.split(/(?<=\/)/).map((part) => html`${part}<wbr>`);

function accessOf({ security = [] }: Operation): string {
  const names = security.flatMap((way) => Object.keys(way));
  if (names.length === 0) return 'Requires no credentials.';
  return names.includes('botKey') ? 'Accepts an access token or a bot key.' : 'Accepts only an access token.';
}

const places = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const;

const parameterLists = (document: Document, parameters: Parameter[]): Html[] =>
  places.flatMap(([place, title]) => {
    const here = parameters.filter((parameter) => parameter.in === place);
    return here.length > 0
      ? [
          html`<h4>${title}</h4><ul class="fields">${here.map((parameter) => parameterItem(document, parameter))}</ul>`,
        ]
      : [];
  });

const parameterItem = (document: Document, { name, description, schema, required }: Parameter): Html =>
  fieldItem(name, { ...schema, description }, required, sent(document));

/** The fields of a body, or its type where it has no fields. */
const bodyFields = (document: Document, schema: Schema, view: View): Html =>
  fieldList(sent(document).resolve(schema), view) ?? html`<p>${typeOf(schema)}</p>`;

function answerItem(document: Document, status: string, answer: Operation['responses'][string]): Html {
  const { description, content } = responseOf(document, answer);
  const type = schemaOf(content);
  const body = type && status.startsWith('2') ? html`: ${pageItemOf(type)}` : undefined;
  return html`<li><span class="status">${status}</span> <span>${prose(description.replace(/\.$/, ''))}${body}</span></li>`;
}

/** A page is described by its items. */
function pageItemOf(schema: Schema): Html {
  const items = schema.properties?.results?.items;
  return items
    ? html`<code>count</code>, <code>next</code>, <code>previous</code>, and <code>results</code>, a list of ${typeOf(items)}`
    : typeOf(schema);
}

const schemaOf = (content: Content = {}): Schema | undefined => content['application/json']?.schema;

export function responseOf(document: Document, answer: Operation['responses'][string]): Response {
  if (!('$ref' in answer)) return answer;
  const name = nameOf(answer) ?? '';
  return document.components.responses[name] ?? { description: name };
}

function sampleAnswers(document: Document, { responses }: Operation): Html[] {
  return Object.entries(responses).flatMap(([status, answer]) => {
    const example = responseOf(document, answer).content?.['application/json']?.example;
    return example === undefined ? [] : [html`<p class="caption">${status}</p>${jsonOf(example)}`];
  });
}
