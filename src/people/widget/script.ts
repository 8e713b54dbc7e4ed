import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type from 'typebox';
import { openAction } from '../../platform/http/action.ts';
import { createAsset } from '../../platform/http/asset.ts';
import { NotFound } from '../../platform/problem.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'web', 'widget');
const loaderName = 'widget.js';

/** Indentation and whole lines of comments, which are for readers of the source. */
const forReaders = /^[ \t]*(?:(?:\/\*\*[\s\S]*?\*\/|\/\/.*)\n)?/gm;

const sources = globSync('*.js', { cwd: folder })
  .sort()
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8').replace(forReaders, '') }));

/** Names this exact state of the modules, which browsers may therefore cache for ever. */
const version = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 12);

const modules = new Map(sources.map(({ name, text }) => [name, createAsset(name, text)]));

const loader = createAsset(
  loaderName,
  sources.find(({ name }) => name === loaderName)?.text.replace('VERSION', version) ?? '',
);

/** The one script that a page includes. It loads the modules beside it. */
export const widgetLoader = openAction({
  handle: async ({ request, reply }) => loader.send(request, reply, { 'cache-control': 'no-cache' }),
});

/** The modules of this version. Other versions' addresses are not found, so that no cache keeps wrong modules. */
export const widgetModule = openAction({
  params: Type.Object({ version: Type.String(), file: Type.String() }),
  handle: async ({ params: { version: asked, file }, request, reply }) => {
    const module = modules.get(file);
    if (asked !== version || !module) throw new NotFound();
    return module.send(request, reply, { 'cache-control': 'public, max-age=31536000, immutable' });
  },
});
