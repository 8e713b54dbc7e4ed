/** A mail without the earlier mail that it answers and without its signature, which programs write in many forms. */
export function withoutQuotes(text: string): string {
  const all = text.split('\n');
  const lines = all.slice(0, endOfOwn(all));
  const quote = lines.findIndex(isQuoted);
  if (quote < 0) return lines.join('\n').trim();
  const last = lines.slice(0, quote).findLastIndex(isFilled);
  const above = lines.slice(0, startOfAttribution(lines, last, [moment]) ?? last + 1);
  const below = lines.slice(quote).map((line) => (isQuoted(line) ? '' : line));
  return [...above, ...below].join('\n').trim();
}

/** Most programs put a `>` before each line that they quote. */
const isQuoted = (line: string): boolean => line.startsWith('>');

const isFilled = (line: string): boolean => line.trim() !== '';

/** The first line from which nothing is the writer's own. */
function endOfOwn(lines: readonly string[]): number {
  for (const [at, line] of lines.entries()) {
    if (line === '-- ' || isMark(line.trim(), nextFilled(lines, at))) return at;
    const start = startOfAttribution(lines, at, [moment, address]);
    if (start !== null && !lines.slice(at + 1, at + 3).some(isQuoted)) return start;
  }
  return lines.length;
}

/** A rule or a head may be a writer's own. Both together are not. */
const isMark = (line: string, next: string): boolean =>
  device.test(line) || (sender.test(line) && date.test(next)) || (rule.test(line) && head.test(next));

/** Mail programs leave one line empty at most. */
const nextFilled = (lines: readonly string[], at: number): string =>
  (lines.slice(at + 1, at + 3).find(isFilled) ?? '').trim();

/** The signature of a phone or of its program, maybe with an address. */
const device =
  /^(sent (from (my|mail|outlook|yahoo)|with proton) |get outlook for |отправлено (с|из) (iphone|ipad|android|mail|мобильно))[^,!?<]{0,40}(<\S*>)?$/iu;

/** The parser makes thirteen hyphens of an `<hr>`. */
const rule = /^([_-]{10,}|-{3,} ?\p{L}[\p{L} ]*-{3,})$/u;
const head = /^\*?\p{L}[\p{L} ]{0,20}:/u;

/** The head of an earlier mail, as Outlook writes it. */
const sender = /^\*?(from|от|von|de):/iu;
const date = /^\*?(sent|date|отправлено|дата|gesendet|envoyé|enviado)( el)?:/iu;

/** The line above a quote, with the writer and the time, has one of these, and often the other, too. */
const moment = /\d{4}|\d[:.]\d{2}/;
const address = /<[^<>\s@]+@[^<>\s]+>/;

const longestAttribution = 3;

/** Where the attribution begins that ends in the line `last`, such as `On 20.11.2026 Shop <help@shop.example> wrote:`. */
function startOfAttribution(lines: readonly string[], last: number, signs: readonly RegExp[]): number | null {
  if (!lines[last]?.trim().endsWith(':')) return null;
  for (let start = last; start > last - longestAttribution; start -= 1) {
    if (!isFilled(lines[start] ?? '')) return null;
    const text = lines.slice(start, last + 1).join(' ');
    if (signs.every((sign) => sign.test(text))) return start;
  }
  return null;
}
