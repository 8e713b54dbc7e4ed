/** An imported line: its number, counted from 1, and its code. */
export type Line = { number: number; code: string };

const headings = ['code', 'codes', 'promocode', 'promo code', 'coupon', 'код', 'промокод'];

/** The codes of a pasted list: each whole line is a code. */
export async function* linesOfText(text: string): AsyncGenerator<Line> {
  yield* numbered([text], (line) => line);
}

/** The codes of a file, read as a stream: the first column of a table, or each line of a plain text. */
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

/** Some browsers cannot iterate over a stream. */
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
    // A line break can be split between two chunks.
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) yield { number: ++number, code: codeIn(line) };
  }
  rest = rest.replace(/\r$/, '');
  if (rest !== '') yield { number: ++number, code: codeIn(rest) };
}

/** Our export puts an apostrophe before text that a spreadsheet would run. It is not part of the code. */
export function firstCell(line: string): string {
  const quoted = /^\s*"((?:[^"]|"")*)"/.exec(line)?.[1];
  const cell = quoted?.replaceAll('""', '"') ?? line.split(/[,;\t]/, 1)[0] ?? '';
  return cell.replace(/^'(?=[=+\-@])/, '');
}
