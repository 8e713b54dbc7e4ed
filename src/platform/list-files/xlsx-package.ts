import { posix } from 'node:path';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { BadFile } from './bad-file.ts';
import { maxUnpackedBytes } from './unpack.ts';
import { type Attributes, readXml } from './xml.ts';

/** An honest workbook has a few dozen. */
const maxEntries = 10_000;

/** The parts of a workbook by their names in its zip archive, for example `xl/workbook.xml`. */
export type Package = { entries: ReadonlyMap<string, Entry>; zip: ZipFile; unpackedBytes: number };

export async function openPackage(file: Buffer): Promise<Package> {
  const entries = new Map<string, Entry>();
  try {
    const zip = await fromBufferPromise(file, { lazyEntries: true });
    if (zip.entryCount > maxEntries) throw new BadFile('The file is a zip archive, and no XLSX workbook.');
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
    return { entries, zip, unpackedBytes: 0 };
  } catch (error) {
    throw error instanceof BadFile ? error : damaged(error);
  }
}

/** A part's bytes. The unpacked size of all parts together is limited, whatever sizes the archive declares. */
export async function* partOf(workbook: Package, name: string): AsyncGenerator<Buffer> {
  const entry = workbook.entries.get(name);
  if (!entry) throw new BadFile(`The file is no XLSX workbook: it has no ${name}.`);
  if (entry.isEncrypted()) throw new BadFile('The workbook is protected by a password.');
  try {
    for await (const piece of await workbook.zip.openReadStreamPromise(entry)) {
      workbook.unpackedBytes += piece.length;
      if (workbook.unpackedBytes > maxUnpackedBytes) {
        throw new BadFile('The file is larger than 200 MiB when it is unpacked.');
      }
      yield piece;
    }
  } catch (error) {
    throw error instanceof BadFile ? error : damaged(error);
  }
}

const damaged = (error: unknown): BadFile =>
  new BadFile('The file is damaged, or no XLSX workbook: it cannot be unpacked.', { cause: error });

/** The parts with the first sheet, and with the texts and the styles of its cells, if any. ECMA-376, part 1, 12.3. */
export type Parts = {
  sheet: string;
  sharedStrings: string | null;
  styles: string | null;
  /** Whether dates count from 1904 instead of 1900. */
  isFrom1904: boolean;
};

export async function findParts(workbook: Package): Promise<Parts> {
  const inWorkbook = await elements(workbook, 'xl/workbook.xml', ['workbookPr', 'sheet']);
  const first = inWorkbook.find(({ name }) => name === 'sheet')?.attributes;
  if (!first) throw new BadFile('The workbook has no sheet.');
  const sheetId = Object.entries(first).find(([name]) => /^[^:]+:id$/.test(name))?.[1];
  const relations = await elements(workbook, 'xl/_rels/workbook.xml.rels', ['Relationship']);
  const sheet = relations.find(({ attributes: { Id } }) => Id !== undefined && Id === sheetId)?.attributes
    .Target;
  if (!sheet) throw new BadFile('The workbook’s first sheet cannot be found.');
  const partOfType = (type: string): string | null => {
    const target = relations.find(({ attributes: { Type } }) => Type?.endsWith(type))?.attributes.Target;
    return target === undefined ? null : pathOf(target);
  };
  const properties = inWorkbook.find(({ name }) => name === 'workbookPr')?.attributes;
  return {
    sheet: pathOf(sheet),
    sharedStrings: partOfType('/sharedStrings'),
    styles: partOfType('/styles'),
    isFrom1904: ['1', 'true'].includes(properties?.date1904 ?? ''),
  };
}

/** The target is absolute, or relative to the folder of `workbook.xml`. */
const pathOf = (target: string): string => posix.resolve('/xl', target).slice(1);

type Element = { name: string; attributes: Attributes };

async function elements(workbook: Package, part: string, wanted: readonly string[]): Promise<Element[]> {
  const found: Element[] = [];
  const open = (name: string, attributes: Attributes) => {
    if (wanted.includes(name) && found.length < maxEntries) found.push({ name, attributes });
  };
  const reading = readXml(partOf(workbook, part), { open, close: () => {}, text: () => {} });
  for await (const _ of reading);
  return found;
}
