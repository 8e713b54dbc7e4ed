import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a zip archive, and the facts that the archive declares about it. */
export type ZipEntry = { name: string; data: Buffer; says?: { size?: number; encrypted?: boolean } };

/** A zip archive as an attacker would make one: PKWARE's APPNOTE, 4.3. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, says } of entries) {
    const packed = deflateRawSync(data, { level: 1 });
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(says?.encrypted ? 1 : 0, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(says?.size ?? data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, place, Buffer.from(name));
    const local = [Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed];
    parts.push(...local);
    offset += local.reduce((sum, part) => sum + part.length, 0);
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** The XML of a workbook's parts. Absent ones are as Excel writes them. */
export type Workbook = {
  /** The content of `<sheetData>`, or the whole part if it is a Buffer. */
  rows: string | Buffer;
  /** The content of `<sst>`. */
  strings?: string | Buffer;
  workbook?: string;
  relations?: string;
  /** The content of `<styleSheet>`, or the whole part if it is a Buffer. The part is missing without it. */
  styles?: string | Buffer;
};

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const part = (name: string, xml: string | Buffer): ZipEntry => ({
  name,
  data: typeof xml === 'string' ? Buffer.from(declaration + xml) : xml,
});

export function workbookEntries({ rows, strings = '', workbook, relations, styles }: Workbook): ZipEntry[] {
  return [
    part(
      'xl/workbook.xml',
      workbook ??
        `<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets><sheet name="List" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      relations ??
        `<Relationships><Relationship Id="rId1" Type="${relationships}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${relationships}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`,
    ),
    part(
      'xl/sharedStrings.xml',
      typeof strings === 'string' ? `<sst xmlns="${main}">${strings}</sst>` : strings,
    ),
    ...(styles === undefined
      ? []
      : [
          part(
            'xl/styles.xml',
            typeof styles === 'string' ? `<styleSheet xmlns="${main}">${styles}</styleSheet>` : styles,
          ),
        ]),
    part(
      'xl/worksheets/sheet1.xml',
      typeof rows === 'string'
        ? `<worksheet xmlns="${main}"><dimension ref="A1:XFD1048576"/><sheetData>${rows}</sheetData></worksheet>`
        : rows,
    ),
  ];
}

export const workbookOf = (workbook: Workbook): Buffer => zipOf(workbookEntries(workbook));
