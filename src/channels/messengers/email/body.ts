import PostalMime, { type Email } from 'postal-mime';

export type Body = {
  text: string;
  /** The writer's own first paragraph. Empty if the mail begins with what it quotes. */
  words: string;
};

export async function bodyOf(mail: Pick<Email, 'text' | 'html'>): Promise<Body> {
  const html = withoutStyles(mail.html ?? '');
  const [beforeQuote = ''] = html.split(/<blockquote\b/i, 1);
  const textIn = async (part: string) => (mail.text ?? (await textOfHtml(part))).replace(/\r\n/g, '\n');
  return { text: await textIn(html), words: wordsOf(await textIn(beforeQuote)) };
}

/** The first paragraph: mail programs add a signature and the earlier mail, in many forms. A quoted line has a `>`. */
function wordsOf(body: string): string {
  const lines = body
    .slice(0, longestWords)
    .split('\n')
    .map((line) => (line.startsWith('>') ? '' : line.trim()));
  const own = lines.slice(lines.findIndex((line) => line !== ''));
  const end = own.indexOf('');
  return own.slice(0, end < 0 ? own.length : end).join('\n');
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
