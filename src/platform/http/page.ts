import type { FastifyReply } from 'fastify';

export type PageOptions = {
  status?: number;
  /** The sources that may frame the page, as policy sources. Default: none. */
  framedBy?: readonly string[];
  /** The forms' target beyond this service. Browsers apply it to redirects as well. */
  formsLeadTo?: string;
  /** Marks the style elements that the page's own scripts add. */
  styleNonce?: string;
};

/** The rights of our own pages: run and fetch files of this service, and show pictures. */
const pagePolicyFor = ({ framedBy = ["'none'"], formsLeadTo, styleNonce }: PageOptions): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    styleNonce === undefined ? "style-src 'self'" : `style-src 'self' 'nonce-${styleNonce}'`,
    "connect-src 'self'",
    // The apps fetch foreign pictures through this service.
    styleNonce === undefined ? 'img-src http: https: data: blob:' : "img-src 'self' data: blob:",
    `form-action ${["'self'", formsLeadTo].filter((source) => source !== undefined).join(' ')}`,
    "base-uri 'none'",
    `frame-ancestors ${framedBy.join(' ')}`,
  ].join('; ');

/** The policy of a page that no site may frame. */
export const pagePolicy = pagePolicyFor({});

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

/** Fills `{{name}}` in a page with text. Throws for a name without a text. */
export function fillPage(template: string, texts: Record<string, string>): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_place, name: string) => {
    const text = texts[name];
    if (text === undefined) throw new Error(`the page has no text for ${name}`);
    return escapeHtml(text);
  });
}

/** The service's path on its host, without a trailing slash. Links begin with it. */
export const basePath = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

/** Sends the page as an answer. */
export const sendPage = (reply: FastifyReply, html: string, options: PageOptions = {}): FastifyReply =>
  reply
    .code(options.status ?? 200)
    .header('content-security-policy', pagePolicyFor(options))
    .type('text/html; charset=utf-8')
    .send(html);
