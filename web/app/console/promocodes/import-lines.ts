/** A line of what is imported: its number as a person counts, and the code in it. */
export type Line = { number: number; code: string };

const headings = ['code', 'codes', 'promocode', 'promo code', 'coupon', 'код', 'промокод'];

/** The codes of a pasted list: the whole of each line is one. */
export async function* linesOfText(text: string): AsyncGenerator<Line> {
  yield* numbered([text], (line) => line);
}

/** The codes of a file, read piece by piece: the first column of a table, or each line of a plain text. */
export async function* linesOfFile(file: File, onRead: (bytes: number) => void): AsyncGenerator<Line> {
  const isTable = !file.name.toLowerCase().endsWith('.txt');
  const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(bytes, controller) {
      onRead(bytes.length);
      controller.enqueue(bytes);
    },
  });
  const texts = file.stream().pipeThrough(counting).pipeThrough(new TextDecoderStream());
  for await (const line of numbered(piecesOf(texts.getReader()), isTable ? firstCell : (whole) => whole)) {
    const isHeading = isTable && line.number === 1 && headings.includes(line.code.trim().toLowerCase());
    if (!isHeading) yield line;
  }
}

/** Not every browser can walk through a stream by itself. */
async function* piecesOf(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<string> {
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
}

async function* numbered(
  pieces: AsyncIterable<string> | Iterable<string>,
  codeIn: (line: string) => string,
): AsyncGenerator<Line> {
  let rest = '';
  let number = 0;
  for await (const piece of pieces) {
    // A line's end may have been cut in two.
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) yield { number: ++number, code: codeIn(line) };
  }
  rest = rest.replace(/\r$/, '');
  if (rest !== '') yield { number: ++number, code: codeIn(rest) };
}

/** Our own export puts an apostrophe before what a spreadsheet would run; it is no part of the code. */
export function firstCell(line: string): string {
  const quoted = /^\s*"((?:[^"]|"")*)"/.exec(line)?.[1];
  const cell = quoted?.replaceAll('""', '"') ?? line.split(/[,;\t]/, 1)[0] ?? '';
  return cell.replace(/^'(?=[=+\-@])/, '');
}
