import type { FastifyReply } from 'fastify';

export type PageOptions = {
  status?: number;
  /** The sources that may frame it, as a policy names them; nobody unless said. */
  framedBy?: readonly string[];
  /** Where its forms may lead beyond this service; browsers hold redirects to it as well. */
  formsLeadTo?: string;
  /** Marks the style elements that the page's own scripts add. */
  styleNonce?: string;
};

/** What our own pages may do: run and fetch what comes from this service, and show pictures. */
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

/** Of a page that nobody may frame. */
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

/** Where this service lives on its host, without a slash at the end; links are written from there. */
export const basePath = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

/** The page as an answer. */
export const sendPage = (reply: FastifyReply, html: string, options: PageOptions = {}): FastifyReply =>
  reply
    .code(options.status ?? 200)
    .header('content-security-policy', pagePolicyFor(options))
    .type('text/html; charset=utf-8')
    .send(html);
