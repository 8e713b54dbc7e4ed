import { BadFile } from './bad-file.ts';
import { maxText, tooMuchText } from './list-row.ts';
import { type Package, partOf } from './xlsx-package.ts';
import { readXml } from './xml.ts';

const maxTexts = 2_000_000;

/** The text for a cell's index. A missing text is empty. */
export type SharedStrings = (index: number) => string;

export const noStrings: SharedStrings = () => '';

/**
 * The texts that cells refer to by index. They are packed into bytes, because a million small strings would take ten
 * times as much. The system provides the reserved memory only as it fills. ECMA-376, part 1, 18.4.
 */
export async function sharedStrings(workbook: Package, part: string): Promise<SharedStrings> {
  const bytes = Buffer.allocUnsafeSlow(maxText);
  const ends = new Uint32Array(maxTexts);
  let count = 0;
  let used = 0;
  const keep = (text: string) => {
    if (count === maxTexts || Buffer.byteLength(text) > maxText - used) {
      throw new BadFile(tooMuchText);
    }
    used += bytes.write(text, used);
    ends[count] = used;
    count += 1;
  };
  for await (const _ of readXml(partOf(workbook, part), richText('si', keep)));
  return (index) =>
    Number.isInteger(index) && index >= 0 && index < count
      ? bytes.toString('utf8', ends[index - 1] ?? 0, ends[index])
      : '';
}

/**
 * Calls back with the text of each element of the name. Its runs are joined, and pronunciation hints are left out.
 */
export function richText(element: string, found: (text: string) => void) {
  let text: string | null = null;
  let inText = false;
  let inHint = false;
  return {
    open(name: string) {
      if (name === element) text = '';
      else if (name === 'rPh') inHint = true;
      else if (name === 't') inText = true;
    },
    close(name: string) {
      if (name === 'rPh') inHint = false;
      else if (name === 't') inText = false;
      else if (name === element && text !== null) {
        found(text);
        text = null;
      }
    },
    text(part: string) {
      if (text === null || !inText || inHint) return;
      text += part;
      if (text.length > maxCell)
        throw new BadFile('The workbook holds a text that is longer than any cell’s.');
    },
  };
}

/** Excel allows 32,767 characters. Other programs may allow more. */
const maxCell = 64 * 1024;
