import { exampleOf } from '../example.ts';
import type { Document, Operation, Schema } from '../types.ts';
import { type Html, html } from './html.ts';

/** The request as a line of a shell, with its secrets in variables. */
export function curlOf(document: Document, method: string, path: string, operation: Operation): Html {
  const [server] = document.servers;
  const body = operation.requestBody?.content['application/json'];
  const target = (server?.url ?? '') + filledPath(path, operation, document.components.schemas);
  const lines = [
    ...(method === 'GET' ? [`curl ${target}`] : [`curl -X ${method}`, target]),
    ...credentialsOf(operation),
    ...(body ? [`-H 'Content-Type: application/json'`, `-d '${quoted(body.example)}'`] : []),
  ];
  return html`<pre><code>${lines.join(' \\\n  ')}</code></pre>`;
}

const quoted = (body: unknown): string =>
  JSON.stringify(body, null, 2).replaceAll("'", "'\\''").replaceAll('\n', '\n  ');

function filledPath(path: string, { parameters }: Operation, components: Record<string, Schema>): string {
  return path.replace(/\{(\w+)\}/g, (_place, name: string) => {
    const parameter = parameters.find((candidate) => candidate.in === 'path' && candidate.name === name);
    return encodeURIComponent(String(exampleOf(parameter?.schema ?? {}, components)));
  });
}

function credentialsOf({ security = [] }: Operation): string[] {
  const names = security.flatMap((way) => Object.keys(way));
  if (names.includes('botKey')) return ['-H "bot-key: $BOT_KEY"'];
  return names.includes('token') ? ['-H "Authorization: Bearer $TOKEN"'] : [];
}

/** JSON with its names apart from its values. */
export function jsonOf(value: unknown): Html {
  const lines = JSON.stringify(value, null, 2).split(/("(?:[^"\\]|\\.)*"(?=:))/);
  const parts = lines.map((part, index) => (index % 2 === 1 ? html`<b>${part}</b>` : html`${part}`));
  return html`<pre><code>${parts}</code></pre>`;
}
