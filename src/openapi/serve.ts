import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../platform/context.ts';
import { openAction } from '../platform/http/action.ts';
import { type Asset, createAsset } from '../platform/http/asset.ts';
import { basePath, pagePolicy } from '../platform/http/page.ts';
import type { KnownRoute } from '../platform/http/router.ts';
import { describeEvents } from './asyncapi.ts';
import { describeApi } from './document.ts';
import { renderPage } from './page/render.ts';
import { programGuide } from './prose.ts';

const style = join(import.meta.dirname, '..', '..', 'web', 'docs', 'docs.css');

/** An asset that is made at its first request, when all routes are known. */
function asset(make: (context: Context) => Asset, headers: Record<string, string> = {}) {
  let made: Asset | undefined;
  return openAction({
    handle: async ({ context, request, reply }) => {
      made ??= make(context);
      return made.send(request, reply, { 'cache-control': 'no-cache', ...headers });
    },
  });
}

/** GET /api/partners/openapi.json: the partner API as OpenAPI 3.1. */
export const apiDescription = (routes: readonly KnownRoute[]) =>
  asset(({ config }) =>
    createAsset('openapi.json', JSON.stringify(describeApi(routes, config.publicUrl), null, 1)),
  );

/** GET /api/partners/docs/: the same as a page for people. */
export const apiPage = (routes: readonly KnownRoute[]) =>
  asset(
    ({ config: { publicUrl } }) =>
      createAsset('index.html', renderPage(describeApi(routes, publicUrl), basePath(publicUrl))),
    { 'content-security-policy': pagePolicy },
  );

/** GET /api/partners/asyncapi.json: the webhooks as AsyncAPI 3. */
export const eventDescription = (routes: readonly KnownRoute[]) =>
  asset(({ config }) =>
    createAsset(
      'asyncapi.json',
      JSON.stringify(describeEvents(describeApi(routes, config.publicUrl)), null, 1),
    ),
  );

const docs = join(import.meta.dirname, '..', '..', 'docs');

/** GET /api/partners/docs/…: the documents that schemas cannot replace, as they are in the repository. */
export const apiGuide = (name: 'contract.md' | 'api-messenger.md' | 'examples/messenger.mjs') =>
  asset(() => createAsset(name, readFileSync(join(docs, name), 'utf8')));

/** GET /llms.txt: a guide to the documents, for language models. Source: llmstxt.org. */
export const guideForPrograms = asset(({ config: { publicUrl } }) =>
  createAsset('llms.txt', programGuide(publicUrl.replace(/\/+$/, ''))),
);

export const apiPageStyle = asset(() => createAsset('docs.css', readFileSync(style, 'utf8')));
