import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownRoute } from '../platform/http/router.ts';
import { operationOf } from './operation.ts';
import { introduction, tags } from './prose.ts';
import { headers, sharedResponses } from './responses.ts';
import { schemaWriter } from './schemas.ts';
import type { Document } from './types.ts';
import { describeWebhooks } from './webhooks.ts';

const root = '/api/partners/';

const packageFile = join(import.meta.dirname, '..', '..', 'package.json');
const { version }: { version: string } = JSON.parse(readFileSync(packageFile, 'utf8'));

/**
 * The partner API as OpenAPI 3.1: the named actions of the partner routes, with the schemas that validate them.
 * Throws when two schemas, or two operations, have the same name.
 */
export function describeApi(routes: readonly KnownRoute[], publicUrl: string): Document {
  const writer = schemaWriter();
  const paths: Document['paths'] = {};
  const spoken = new Set<string>();
  const taken = new Set<string>();
  for (const route of routes) {
    const { name } = route.spec;
    if (name === undefined || !route.path.startsWith(root)) continue;
    if (taken.has(name)) throw new Error(`two operations are called ${name}`);
    taken.add(name);
    const word = route.path.slice(root.length).split('/')[0] ?? '';
    spoken.add(word);
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const operation = operationOf(writer, route, name, tagOf(word).name);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Patchbay',
      version,
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl.replace(/\/+$/, '') }],
    tags: Array.from(spoken, tagOf),
    paths,
    webhooks: describeWebhooks(writer),
    components: {
      responses: sharedResponses(writer),
      headers,
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An access token of `POST /api/partners/oauth/`.',
        },
        botKey: { type: 'apiKey', in: 'header', name: 'bot-key', description: "A project's bot key." },
      },
      schemas: writer.components,
    },
  };
}

/** A word without a description is its own name. */
const tagOf = (word: string) => tags[word] ?? { name: word, description: '' };
