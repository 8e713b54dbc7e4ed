import { BadFile } from './bad-file.ts';
import { type NumberFormat, numberFormat } from './number-format.ts';
import { type Package, partOf } from './xlsx-package.ts';
import { type Attributes, readXml } from './xml.ts';

/** The format of a cell's number by the cell's style. Null for a plain number. */
export type Styles = (style: string | undefined) => NumberFormat | null;

export const noStyles: Styles = () => null;

/** Excel allows 65,490 styles. Further ones have no format. */
const maxStyles = 100_000;

/** Other lists repeat formats for other uses. */
const lists = ['numFmts', 'cellXfs'];

/** The dates, times and percentages among the formats that no workbook spells out. ECMA-376, part 1, 18.8.30. */
const builtIn: ReadonlyMap<number, string> = new Map([
  [9, '0%'],
  [10, '0.00%'],
  [14, 'mm-dd-yy'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'm/d/yy h:mm'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mmss.0'],
]);

/** Texts do not need styles. So a missing or a broken part refuses no list: its numbers have no format. */
export async function readStyles(workbook: Package, part: string, isFrom1904: boolean): Promise<Styles> {
  const styles = stylesReader();
  try {
    for await (const _ of readXml(partOf(workbook, part), styles.handler));
  } catch (error) {
    if (error instanceof BadFile) return noStyles;
    throw error;
  }
  return styles.read(isFrom1904);
}

function stylesReader() {
  const codes = new Map(builtIn);
  const ids: number[] = [];
  let list = '';
  return {
    handler: {
      open(name: string, { numFmtId, formatCode = '' }: Attributes) {
        if (lists.includes(name)) list = name;
        else if (list === 'cellXfs' && name === 'xf' && ids.length < maxStyles) ids.push(Number(numFmtId));
        else if (list === 'numFmts' && codes.size < maxStyles) codes.set(Number(numFmtId), formatCode);
      },
      close(name: string) {
        if (name === list) list = '';
      },
      text() {},
    },
    read(isFrom1904: boolean): Styles {
      const formats = new Map([...codes].map(([id, code]) => [id, numberFormat(code, isFrom1904)]));
      return (style) => {
        const id = ids[Number(style ?? 0)];
        return id === undefined ? null : (formats.get(id) ?? null);
      };
    },
  };
}
