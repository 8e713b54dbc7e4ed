import { constants } from 'node:buffer';
import { Refused } from './problem.ts';

/**
 * The complete lines of a stream of bytes. A line feed alone ends a line, unlike in `node:readline`. Throws `Refused`
 * for a line that does not fit into a text: a packed file of a few kilobytes may have one that fills the memory.
 */
export async function* linesOf(
  source: AsyncIterable<Buffer>,
  mostBytes: number = constants.MAX_STRING_LENGTH,
): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...pieces, chunk.subarray(start, end)]).toString('utf8');
      pieces = [];
      bytes = 0;
      start = end + 1;
    }
    pieces.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > mostBytes) throw new Refused(`The file has a line of more than ${mostBytes} bytes.`);
  }
}
