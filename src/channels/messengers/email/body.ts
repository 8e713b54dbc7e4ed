import PostalMime, { type Email } from 'postal-mime';

export type Body = {
  text: string;
  /** `text` without the mail that it answers. */
  own: string;
  /** The first paragraph of `own`. Empty if HTML begins with what it quotes. */
  words: string;
};

export async function bodyOf({ text, html }: Pick<Email, 'text' | 'html'>): Promise<Body> {
  if (text) return plainBody(text);
  const whole = withoutStyles(html ?? '');
  const [beforeQuote = ''] = whole.split(/<blockquote\b/i, 1);
  const quotes = beforeQuote.length < whole.length;
  const own = withoutQuotes((await textOfHtml(beforeQuote)) + (quotes ? '\n>' : ''));
  return { text: asLines(await textOfHtml(whole)), own, words: wordsOf(own) };
}

function plainBody(text: string): Body {
  const own = withoutQuotes(text);
  return { text: asLines(text), own, words: wordsOf(own) };
}

const asLines = (text: string): string => text.replace(/\r\n/g, '\n');

/** Mail programs put a `>` before each quoted line, and a line with the writer and the time above the first. */
function withoutQuotes(text: string): string {
  const lines = aboveRule(asLines(text).split('\n'));
  const quote = lines.findIndex(isQuoted);
  const above = quote < 0 ? lines : withoutAttribution(lines.slice(0, quote));
  const below = quote < 0 ? [] : lines.slice(quote);
  return [...above, ...below.map((line) => (isQuoted(line) ? '' : line))].join('\n').trim();
}

/** Some mail programs put a rule above the whole earlier mail, and no `>`. */
function aboveRule(lines: string[]): string[] {
  const rule = lines.findIndex((line) => /^(_{16,}|-{3,} ?\p{L}[\p{L} ]*-{3,})$/u.test(line.trim()));
  return rule < 0 ? lines : lines.slice(0, rule);
}

const isQuoted = (line: string): boolean => line.startsWith('>');

/** A paragraph of at most three lines, such as `On 20.11.2026 Shop <help@shop.example> wrote:`. */
function withoutAttribution(lines: readonly string[]): string[] {
  const end = lines.findLastIndex(isFilled) + 1;
  const start = lines.slice(0, end).findLastIndex((line) => !isFilled(line)) + 1;
  const paragraph = lines.slice(start, end).join(' ').trim();
  const isAttribution = end - start <= 3 && paragraph.endsWith(':') && /[\d@]/.test(paragraph);
  return lines.slice(0, isAttribution ? start : end);
}

const isFilled = (line: string): boolean => line.trim() !== '';

/** Mail programs add a signature below the first paragraph. */
function wordsOf(own: string): string {
  const lines = own
    .slice(0, longestWords)
    .split('\n')
    .map((line) => line.trim());
  const end = lines.indexOf('');
  return lines.slice(0, end < 0 ? lines.length : end).join('\n');
}

/** No word by which clients leave is as long. */
const longestWords = 2_000;

/** The parser takes their rules for text. */
function withoutStyles(html: string): string {
  const [before = '', ...styles] = html.split(/<style\b/i);
  return [before, ...styles.map(afterStyle)].join('');
}

const afterStyle = (html: string): string =>
  html
    .split(/<\/style\s*>/i)
    .slice(1)
    .join('');

/** The parser converts HTML to text only in a mail that also has a text part. */
async function textOfHtml(html: string): Promise<string> {
  const part = ['Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: base64', ''];
  const lines = ['Content-Type: multipart/mixed; boundary=-', '', '---', '', '---', ...part];
  const { text } = await PostalMime.parse(
    [...lines, Buffer.from(html).toString('base64'), '-----'].join('\r\n'),
  );
  return text ?? '';
}
