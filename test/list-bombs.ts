import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { workbookOf } from './stand-ins/workbook.ts';

const many = (some: string, times: number): string => some.repeat(times);
const packed = (text: string | Buffer): Buffer => gzipSync(text, { level: 1 });
const sheet = (rows: string): Buffer => workbookOf({ rows });
const strings = (some: string): Buffer => workbookOf({ rows: '', strings: some });
const cell = (content: string): string => `<row><c t="inlineStr"><is>${content}</is></c></row>`;
const oneForAll = workbookOf({
  rows: cell('<t>phone</t>') + many('<row><c><v>1</v></c><c t="s"><v>0</v></c></row>', 100_000),
  strings: `<si><t>${many('x', 60_000)}</t></si>`,
});

/** Small files with excessive content. */
// biome-ignore format: a table is read in columns
const bombs: [what: string, file: () => Buffer, refusal: RegExp][] = [
  ['8 million rows', () => sheet(many('<row/>', 8_000_000)), /more rows/],
  ['a row of empty cells', () => sheet(`<row>${many('<c/>', 1_000_000)}</row>`), /more columns/],
  ['10 million empty cells', () => sheet(many(`<row>${many('<c/>', 16_000)}</row>`, 630)), /more than 10,000,000 cells/],
  ['a text', () => sheet(cell(`<t>${many('x', 20_000_000)}</t>`)), /longer than any cell/],
  ['a text in pieces', () => sheet(cell(many('<t>xxxxxxxx</t>', 1_000_000))), /longer than any cell/],
  ['an attribute', () => sheet(`<row x="${many('x', 20_000_000)}"/>`), /longer than any cell/],
  ['nesting', () => sheet(many('<row>', 1_000_000)), /nested too deep/],
  ['shared texts', () => strings(many('<si><t>x</t></si>', 2_100_000)), /more text than/],
  ['empty shared texts', () => strings(many('<si/>', 3_000_000)), /more text than/],
  ['long shared texts', () => strings(many(`<si><t>${many('x', 30_000)}</t></si>`, 2500)), /more text than/],
  ['one text in every row', () => oneForAll, /more text than/],
  ['one text in one cell, again and again', () => workbookOf({ rows: `<row><c t="s">${many('<v>0</v>', 2_000_000)}</c></row>`, strings: `<si><t>${many('x', 60_000)}</t></si>` }), /more text than/],
  ['a sheet of more than 200 MiB', () => sheet(many(`<row>${many(' ', 1_000_000)}</row>`, 215)), /larger than 200 MiB/],
  ['gzip of one line', () => packed(Buffer.alloc(100_000_000, 'x')), /^Line 1 is longer than 64 KiB/],
  ['gzip of commas', () => packed(Buffer.alloc(100_000_000, ',')), /^Line 1 is longer than 64 KiB/],
  ['gzip of empty lines', () => packed(Buffer.alloc(100_000_000, '\n')), /more than 1,000,000 lines/],
  ['gzip of more than 200 MiB', () => packed(`1${many(`${many('x', 2000)}\n`, 110_000)}`), /larger than 200 MiB/],
];

export const allBombs: readonly string[] = bombs.map(([what]) => what);

/** Checks that each of them is refused, and takes hardly any memory. */
export async function assertHarmless(chosen: readonly string[]): Promise<void> {
  for (const [what, file, refusal] of bombs) {
    if (!chosen.includes(what)) continue;
    const { refusal: said, addedMiB } = await readApart(file());
    assert.match(String(said), refusal, what);
    assert.ok(addedMiB < 150, `${what}: ${Math.round(addedMiB)} MiB`);
  }
}

/** Reads the file in a separate process, to measure its memory alone. */
async function readApart(file: Buffer): Promise<{ refusal: string | null; addedMiB: number }> {
  const script = join(import.meta.dirname, 'read-list.ts');
  const child = spawn(process.execPath, [script, 'phone'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(file);
  return JSON.parse(await text(child.stdout));
}
