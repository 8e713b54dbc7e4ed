import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { workbookOf } from '../stand-ins/workbook.ts';

/** A server's answer to the request for a list, and the expected refusal. */
export type HostileList = { serve: RequestListener; refusal: RegExp };

const sending =
  (file: Buffer): RequestListener =>
  (_request, response) =>
    response.end(file);

const packed = (text: Buffer): RequestListener => sending(gzipSync(text, { level: 1 }));

const redirect =
  (to: string): RequestListener =>
  (_request, response) =>
    response.writeHead(302, { location: to }).end();

const endless: RequestListener = (_request, response) => {
  const lines = 'nobody\n'.repeat(10_000);
  response.write('external_id\n');
  const more = () => {
    while (!response.destroyed && response.write(lines));
  };
  response.on('drain', more);
  more();
};

/** One byte after another, forever. */
export const drip: RequestListener = (_request, response) => {
  const timer = setInterval(() => response.write('x'), 100);
  response.on('close', () => clearInterval(timer));
};

// biome-ignore format: a table is read in columns
export const hostileLists = (): Record<string, HostileList> => ({
  'a workbook with 8 million rows': { serve: sending(workbookOf({ rows: '<row/>'.repeat(8_000_000) })), refusal: /more rows/ },
  'a workbook with one endless text': { serve: sending(workbookOf({ rows: `<row><c t="inlineStr"><is><t>${'x'.repeat(20_000_000)}</t></is></c></row>` })), refusal: /longer than any cell/ },
  'a workbook of shared texts': { serve: sending(workbookOf({ rows: '', strings: '<si><t>x</t></si>'.repeat(2_100_000) })), refusal: /more text than/ },
  'gzip of one line': { serve: packed(Buffer.alloc(100_000_000, 'x')), refusal: /Line 1 is longer/ },
  'gzip of empty lines': { serve: packed(Buffer.alloc(100_000_000, '\n')), refusal: /more than 1,000,000 lines/ },
  'a file without an end': { serve: endless, refusal: /larger than 20 MiB/ },
  'a redirect inwards': { serve: redirect('http://169.254.169.254/latest/'), refusal: /leads elsewhere/ },
  'another encoding': { serve: sending(Buffer.from([0x65, 0x78, 0x3b, 0xe8, 0xec, 0xff, 0x0a])), refusal: /not in UTF-8/ },
  'half of UTF-16': { serve: sending(Buffer.concat([Buffer.from('\ufeffexternal_id\n', 'utf16le'), Buffer.from([0x00, 0xd8, 0x41])])), refusal: /UTF-16/ },
  'noise': { serve: sending(Buffer.concat([Buffer.from([0xff, 0x00]), randomBytes(1_000_000)])), refusal: /not in UTF-8/ },
  'a broken workbook': { serve: sending(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), randomBytes(100_000)])), refusal: /./ },
  'an HTML page': { serve: sending(Buffer.from('<!doctype html><title>Sign in</title>')), refusal: /no column "external_id"/ },
  'nothing': { serve: sending(Buffer.alloc(0)), refusal: /empty/ },
});
