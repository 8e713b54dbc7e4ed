import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { openAction } from '../http/action.ts';
import { type Asset, createAsset } from '../http/asset.ts';
import { basePath, pagePolicy } from '../http/page.ts';
import type { KnownRoute } from '../http/router.ts';
import { describeApi } from './document.ts';
import { renderPage } from './page/render.ts';

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

/** GET /api/partners/docs/: the same for people. */
export const apiPage = (routes: readonly KnownRoute[]) =>
  asset(
    ({ config: { publicUrl } }) =>
      createAsset('index.html', renderPage(describeApi(routes, publicUrl), basePath(publicUrl))),
    { 'content-security-policy': pagePolicy },
  );

export const apiPageStyle = asset(() => createAsset('docs.css', readFileSync(style, 'utf8')));
