import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import { NotFound } from '../problem.ts';
import { randomToken } from '../secrets/secret.ts';
import { openAction } from './action.ts';
import { type Asset, createAsset } from './asset.ts';
import { basePath, fillPage, type PageOptions, sendPage } from './page.ts';

/** The output of `npm run build` for `web/app`. */
const built = join(import.meta.dirname, '..', '..', '..', 'web', 'app', 'dist');

/** The build does not know the service's path on its host, and writes this placeholder instead. */
const basePlace = '/__base__';

const isBuiltName = /^[\w-]+(\.[\w-]+)*\.(js|css)$/;

/** The scripts and styles of the console and the chat center. Their names change with their contents. */
export function appFile() {
  const assets = new Map<string, Asset>();
  const assetOf = (name: string, base: string): Asset => {
    const path = join(built, 'files', name);
    const asset =
      assets.get(name) ??
      (isBuiltName.test(name) && existsSync(path)
        ? createAsset(name, readFileSync(path, 'utf8').replaceAll(basePlace, base))
        : undefined);
    if (!asset) throw new NotFound();
    assets.set(name, asset);
    return asset;
  };
  return openAction({
    params: Type.Object({ file: Type.String() }),
    handle: async ({ context: { config }, params: { file }, request, reply }) =>
      assetOf(file, basePath(config.publicUrl)).send(request, reply, {
        'cache-control': 'public, max-age=31536000, immutable',
      }),
  });
}

export type App = 'console' | 'chat-center';

/** Sends the page of an app. `frame` names the session of a chat center in a frame. */
export function sendApp(
  reply: FastifyReply,
  app: App,
  {
    publicUrl,
    frame = '',
    ...options
  }: { publicUrl: string; frame?: string } & Omit<PageOptions, 'styleNonce'>,
): FastifyReply {
  const styleNonce = randomToken();
  const base = basePath(publicUrl);
  const page = fillPage(readFileSync(join(built, `${app}.html`), 'utf8').replaceAll(basePlace, base), {
    base,
    nonce: styleNonce,
    frame,
  });
  return sendPage(reply.header('referrer-policy', 'no-referrer'), page, { ...options, styleNonce });
}
