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

/** A sheet with one number in each format, after a phone number. */
function styled(
  cells: readonly (readonly [format: string | number, value: string, shown?: string])[],
): Workbook {
  const codes = cells.map(([format], index) =>
    typeof format === 'number' ? '' : `<numFmt numFmtId="${200 + index}" formatCode="${format}"/>`,
  );
  const styles = cells.map(
    ([format], index) => `<xf numFmtId="${typeof format === 'number' ? format : 200 + index}"/>`,
  );
  return {
    rows: cells
      .map(([, value], index) => row(inline('1'), inline('x'), `<c s="${index + 1}"><v>${value}</v></c>`))
      .join(''),
    styles: `<numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
      <cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs><cellStyles><xf numFmtId="14"/></cellStyles>
      <dxfs><dxf><numFmt numFmtId="1" formatCode="yyyy"/></dxf></dxfs>`,
  };
}

async function formatted(workbook: Workbook): Promise<unknown[]> {
  const headed = { ...workbook, rows: row(inline('phone'), inline(''), inline('v')) + workbook.rows };
  const values: unknown[] = [];
  for await (const batch of readListFile(workbookOf(headed), phones)) {
    for (const entry of batch) values.push('problem' in entry ? entry.problem : entry.variables?.v);
  }
  return values;
}

// biome-ignore format: a table is read in columns
const formats: [format: string | number, value: string, shown: string][] = [
  [14, '46380', '2026-12-24'], [14, '46380.604166666664', '2026-12-24'], [15, '46380', '2026-12-24'], [16, '46380', '2026-12-24'], [17, '46380', '2026-12-24'],
  [18, '0.604166666666667', '14:30'], [20, '0.604166666666667', '14:30'], [20, '46380.6041666666', '14:30'], [20, '0', '00:00'], [21, '0.604340277777778', '14:30:15'], [19, '0.9999999', '00:00:00'],
  [22, '46380.604166666664', '2026-12-24 14:30'], [45, '0.0125', '00:18:00'], [46, '1.10434027777778', '26:30:15'], [47, '0.0125', '00:18:00'],
  ['dd\\.mm\\.yyyy;@', '46380', '2026-12-24'], ['DD/MM/YYYY', '46380', '2026-12-24'], ['[$-419]d\\ mmmm\\ yyyy&quot; г.&quot;', '46380', '2026-12-24'], ['[h]:mm', '1.5', '36:00'], ['[mm]:ss', '0.0625', '01:30:00'], ['yyyy-mm-dd hh:mm:ss.000', '46380.604340277777778', '2026-12-24 14:30:15'], ['mmmm', '46380', '2026-12-24'],
  [14, '1', '1900-01-01'], [14, '59', '1900-02-28'], [14, '60', '60'], [14, '61', '1900-03-01'], [14, '2958465', '9999-12-31'],
  [14, '2958466', '2958466'], [14, '79991234567', '79991234567'], [14, '-1', '-1'], [14, '0', '0'], [14, 'x', 'x'], [14, ' ', ' '],
  [9, '0.15', '15%'], [10, '0.15', '15%'], [9, '0.145', '15%'], [10, '0.333333333333', '33.33%'], ['0.0%', '-0.1234', '-12.3%'], [9, '1', '100%'], [9, 'x', 'x'],
  [0, '46380', '46380'], [1, '79991234567', '79991234567'], [2, '0.15', '0.15'], [3, '46380', '46380'], [49, '46380', '46380'], [99999, '46380', '46380'],
  ['#,##0\\ &quot;days&quot;', '46380', '46380'], ['#,##0 [$USD-409]', '46380', '46380'], ['# ##0 USD', '46380', '46380'], ['0_d;[Red]-0_d', '46380', '46380'], ['General', '46380', '46380'], ['\\d0', '5', '5'], ['+0 000 000', '79991234567', '79991234567'], ['&quot;%&quot;0', '5', '5'], ['*m@', '46380', '46380'], ['[Red]', '5', '5'], [`${'y'.repeat(2000)}`, '5', '5'],
];

test('a date, a time and a percentage read as the sheet shows them, and any other number as it is', async () => {
  const shownOnes = await formatted(styled(formats));
  for (const [index, [format, value, shown]] of formats.entries())
    assert.equal(shownOnes[index], shown, `${format}: ${value}`);
});

test('a workbook may count its days from 1904', async () => {
  for (const [says, date] of [
    ['1', '2030-12-25'],
    ['true', '2030-12-25'],
    ['0', '2026-12-24'],
  ]) {
    const workbook = `<workbook xmlns:r="r"><workbookPr date1904="${says}"/><sheets><sheet r:id="rId1"/></sheets></workbook>`;
    assert.deepEqual(await formatted({ ...styled([[14, '46380']]), workbook }), [date]);
  }
});

test('a workbook with broken styles, or with none, reads without formats', async () => {
  const { rows, styles = '' } = styled([[14, '46380']]);
  const deep = Buffer.from('<a>'.repeat(1000));
  const broken = [
    undefined,
    '',
    '<cellXfs><xf',
    `${styles}${styles.slice(0, 20)}`,
    Buffer.from([0xff, 0xd8]),
    deep,
  ];
  for (const some of broken)
    assert.deepEqual(await formatted({ rows, ...(some !== undefined && { styles: some }) }), ['46380']);
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
