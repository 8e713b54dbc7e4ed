import { escapeHtml } from '../../platform/http/page.ts';

/** Escaped HTML. */
export type Html = { markup: string };

type Part = string | number | Html | readonly Html[] | undefined;

/** HTML with values in it. Text is escaped; undefined becomes empty. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
  markup: strings.reduce((markup, string, index) => markup + markupOf(parts[index - 1]) + string),
});

function markupOf(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('');
}

/** Text with `code` between backticks. */
export function prose(text: string): Html {
  const parts = text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
  return html`${parts}`;
}

/** Paragraphs, which empty lines separate in the text. */
export const paragraphs = (text: string): Html[] =>
  text.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`);
