import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Workbook, workbookEntries, workbookOf, zipOf } from '../../../test/stand-ins/workbook.ts';
import { BadFile } from './bad-file.ts';
import { readListFile, type Wanted } from './list-file.ts';

const phones: Wanted = { heading: 'phone', orFirstColumn: true };

async function shown(file: Buffer, wanted = phones): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of readListFile(file, wanted)) {
    for (const entry of batch) {
      if ('problem' in entry) lines.push(`${entry.line}: ${entry.problem}`);
      else
        lines.push(
          `${entry.line} ${entry.identifier}${entry.variables ? ` ${JSON.stringify(entry.variables)}` : ''}`,
        );
    }
  }
  return lines;
}

const number = (value: string) => `<c><v>${value}</v></c>`;
const shared = (index: number | string) => `<c t="s"><v>${index}</v></c>`;
const inline = (some: string) => `<c t="inlineStr"><is><t>${some}</t></is></c>`;
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;

// biome-ignore format: a table is read in columns
const good: [what: string, workbook: Workbook, lines: string[]][] = [
  ['numbers', { rows: row(number('79991234567')) + row(number('7.9991234567E10')) + row(number('79991234567.0')) }, ['1 79991234567', '2 79991234567', '3 79991234567']],
  ['shared and inline texts', { rows: row(shared(1)) + row(inline('+1 &amp; &#50;')), strings: '<si><t>no</t></si><si><r><t>+7 </t></r><r><rPr><b/></rPr><t xml:space="preserve">999 </t></r><rPh><t>hint</t></rPh></si>' }, ['1 +7 999 ', '2 +1 & 2']],
  ['zeros in a text', { rows: row(inline('00123')) }, ['1 00123']],
  ['a formula’s last value', { rows: row('<c t="str"><f>A1&amp;"x"</f><v>123</v></c>') + row('<c><f>1+1</f><v>2</v></c>') }, ['1 123', '2 2']],
  ['a formula without a value', { rows: row(number('1')) + row('<c><f>A1</f></c>') + row() + row(number('2')) }, ['1 1', '2: The identifier is missing.', '4 2']],
  ['a headed column', { rows: row(inline('name'), inline('Phone '), inline('price'), inline('ok')) + row(inline('Ann'), number('1'), number('1.1000000000000001'), '<c t="b"><v>1</v></c>') }, ['2 1 {"name":"Ann","price":"1.1","ok":"TRUE"}']],
  ['another heading', { rows: row(inline('Номер')) + row(number('1')) }, ['2 1']],
  ['gaps', { rows: '<row r="3"><c r="B3" t="inlineStr"><is><t>phone</t></is></c><c r="D3" t="inlineStr"><is><t>x</t></is></c></row><row r="7"><c r="B7"><v>1</v></c></row><row r="8"><c r="D8"><v>5</v></c></row>' }, ['7 1 {"x":""}', '8: The identifier is missing.']],
  ['rows that are numbered twice, or backwards', { rows: '<row r="5"><c><v>1</v></c></row><row r="5"><c><v>2</v></c></row><row r="2"><c><v>3</v></c></row>' }, ['5 1', '6 2', '7 3']],
  ['empty rows and cells', { rows: `${row()}${row('<c s="1"/>', '<c r="XFD2"/>')}${row(number('1'))}` }, ['3 1']],
  ['references to no text', { rows: row(inline('phone')) + row(shared(5), number('2')) + row(shared(-1)) + row(shared('0.5')) + row(shared('x')) + row(number('3')), strings: '<si><t>1</t></si>' }, ['2: The identifier is missing.', '6 3']],
  ['prefixes', { rows: Buffer.from('<x:worksheet xmlns:x="x"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>') }, ['1 1']],
  ['a long line', { rows: row(number('1')) + row(...Array(3).fill(shared(0))) + row(number('1')), strings: `<si><t>${'1'.repeat(30_000)}</t></si>` }, ['1 1', '2: The line is longer than 64 KiB.', '3 1']],
  ['an absolute address of the sheet', { rows: row(number('1')), relations: '<Relationships><Relationship Id="rId1" Target="/xl/worksheets/sheet1.xml"/></Relationships>' }, ['1 1']],
];

test('a sheet reads as Excel shows it', async () => {
  for (const [what, workbook, lines] of good)
    assert.deepEqual(await shown(workbookOf(workbook)), lines, what);
});

test('the first sheet is the first in order, whatever the name of its file', async () => {
  const entries = workbookEntries({
    rows: row(number('1')),
    workbook:
      '<workbook xmlns:rel="r"><sheets><sheet name="Second" sheetId="9" rel:id="b"/><sheet rel:id="rId1"/></sheets></workbook>',
    relations:
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="b" Target="worksheets/z.xml"/></Relationships>',
  });
  const other = {
    name: 'xl/worksheets/z.xml',
    data: Buffer.from(`<worksheet><sheetData>${row(number('2'))}</sheetData></worksheet>`),
  };
  assert.deepEqual(await shown(zipOf([...entries, other])), ['1 2']);
});

const honest: Workbook = { rows: row(number('1')) };
const sheetXml = (xml: string): Buffer => workbookOf({ rows: Buffer.from(xml) });

// biome-ignore format: a table is read in columns
const bad: [what: string, file: Buffer, refusal: RegExp][] = [
  ['a zip of something else', zipOf([{ name: 'a.txt', data: Buffer.from('a') }]), /no XLSX workbook: it has no xl\/workbook\.xml/],
  ['a workbook in a zip', zipOf([{ name: 'list.xlsx', data: workbookOf(honest) }]), /no XLSX workbook/],
  ['half a zip', workbookOf(honest).subarray(0, 300), /damaged, or no XLSX workbook/],
  ['a zip in place of a sheet', workbookOf({ rows: workbookOf(honest) }), /not valid XML|not in UTF-8/],
  ['an encrypted part', zipOf(workbookEntries(honest).map((entry) => ({ ...entry, says: { encrypted: true } }))), /protected by a password/],
  ['no sheet', workbookOf({ ...honest, workbook: '<workbook><sheets/></workbook>' }), /has no sheet/],
  ['a sheet that is nowhere', workbookOf({ ...honest, relations: '<Relationships/>' }), /first sheet cannot be found/],
  ['a sheet outside', workbookOf({ ...honest, relations: '<Relationships><Relationship Id="rId1" Target="../../../etc/passwd"/></Relationships>' }), /it has no etc\/passwd/],
  ['half a sheet', sheetXml('<worksheet><sheetData><row>'), /not valid XML/],
  ['an internal entity', sheetXml('<!DOCTYPE x [<!ENTITY a "1">]><worksheet>&a;</worksheet>'), /document type/],
  ['an external entity', sheetXml('<!DOCTYPE x SYSTEM "file:///etc/passwd"><worksheet/>'), /document type/],
  ['an unknown entity', sheetXml('<worksheet>&a;</worksheet>'), /not valid XML/],
  ['an empty sheet', workbookOf({ rows: '' }), /^The file is empty\.$/],
  ['a cell beyond the last column', workbookOf({ rows: '<row><c r="XFE1"><v>1</v></c></row>' }), /more columns than a sheet can have/],
  ['a row beyond the last one', workbookOf({ rows: '<row r="1048577"/>' }), /more rows than a sheet can have/],
  ['a row without end', workbookOf({ rows: '<row r="Infinity"/>' }), /more rows than a sheet can have/],
  ['a sheet that is larger than it says', zipOf(workbookEntries({ rows: '<row/>'.repeat(1000) }).map((entry) => ({ ...entry, says: { size: 2000 } }))), /cannot be unpacked/],
];

test('a file that is no workbook is refused in words', async () => {
  for (const [what, file, refusal] of bad) {
    await assert.rejects(shown(file), (error) => {
      assert.ok(error instanceof BadFile, `${what}: ${error}`);
      assert.match(error.message, refusal, what);
      return true;
    });
  }
});
