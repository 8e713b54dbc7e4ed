import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/**
 * `node test/previous-release/pack.ts <tag or commit>`: stores that version's program and migrations for
 * `test/two-versions.full.ts`. To be run when a release is made. A clean clone has no tags.
 */

const [version = ''] = process.argv.slice(2);
const root = join(import.meta.dirname, '..', '..');
const withoutTests = ['test', 'full', 'faults'].map((kind) => `:(exclude)src/**/*.${kind}.ts`);
const tar = execFileSync(
  'git',
  ['archive', version, 'src', 'migrations', 'package.json', ':(exclude)src/simulator', ...withoutTests],
  { cwd: root, maxBuffer: 2 ** 28 },
);
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_MAX_QUALITY, BROTLI_MAX_WINDOW_BITS } = constants;
const params = { [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY, [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS };
writeFileSync(join(import.meta.dirname, 'release.tar.br'), brotliCompressSync(tar, { params }));
