import PostalMime, { type Email } from 'postal-mime';
import { withoutQuotes } from './quotes.ts';

export type Body = {
  text: string;
  /** `text` without the mail that it answers and the signature. */
  own: string;
  /** The first paragraph of `own`. */
  words: string;
};

export async function bodyOf({ text, html }: Pick<Email, 'text' | 'html'>): Promise<Body> {
  const { shown, marked } = text
    ? { shown: text, marked: text }
    : await textsOfHtml(withoutStyles(html ?? ''));
  const own = withoutQuotes(asLines(marked));
  return { text: asLines(shown), own, words: wordsOf(own) };
}

/** `marked` has its quotes as a text does. */
async function textsOfHtml(html: string): Promise<{ shown: string; marked: string }> {
  const quoting = withMarkedQuotes(html);
  const shown = await textOfHtml(html);
  return { shown, marked: quoting === html ? shown : await textOfHtml(quoting) };
}

/** With a line that counts as quoted, instead of each outermost `<blockquote>`. */
function withMarkedQuotes(html: string): string {
  let depth = 0;
  const parts = html.split(/(<\/?blockquote\b[^<>]*>)/i).map((part, index) => {
    const isTag = index % 2 === 1;
    if (isTag) depth = part.startsWith('</') ? Math.max(0, depth - 1) : depth + 1;
    if (isTag) return depth === 0 || (depth === 1 && !part.startsWith('</')) ? '<br>&gt;<br>' : '';
    return depth === 0 ? part : '';
  });
  return parts.join('');
}

const asLines = (text: string): string => text.replace(/\r\n/g, '\n');

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
