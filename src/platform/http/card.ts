import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { basePath, fillPage, sendPage } from './page.ts';

const web = join(import.meta.dirname, '..', '..', '..', 'web');
const read = (file: string): string => readFileSync(join(web, file), 'utf8');
const frame = read(join('site', 'card.html'));

/** The content of a page: its title as text, the rest as HTML. In English by default. */
export type Card = { title: string; html: string; language?: 'en' | 'ru' };

/**
 * A card from a file of `web`. `texts` fill its `{{name}}`. `parts` are HTML, and replace the `<!-- name -->`
 * markers. A marker without a part becomes empty.
 */
export function cardTemplate(file: string, title: string) {
  const template = read(file);
  return (texts: Record<string, string>, parts: Record<string, string> = {}): Card => ({
    title,
    html: fillPage(template, texts).replace(/<!-- (\w+) -->/g, (_place, name: string) => parts[name] ?? ''),
  });
}

type Sending = {
  publicUrl: string;
  status?: number;
  /** The forms' target beyond our own pages, as a policy source. */
  formsLeadTo?: string;
  /** The sources that may frame the page. Default: none. */
  framedBy?: readonly string[];
};

/** Sends the page, whose address no other site learns from the referrer. */
export function sendCard(
  reply: FastifyReply,
  { title, html, language = 'en' }: Card,
  sending: Sending,
): FastifyReply {
  const { publicUrl, ...options } = sending;
  const page = fillPage(frame, { title, base: basePath(publicUrl) })
    .replace('lang="en"', `lang="${language}"`)
    .replace('<!-- card -->', () => html);
  return sendPage(reply.header('referrer-policy', 'no-referrer'), page, options);
}

/** Redirects with GET. The address is absolute, or begins with a slash. */
export const seeOther = (reply: FastifyReply, address: string): FastifyReply =>
  reply.code(303).headers({ location: address, 'referrer-policy': 'no-referrer' }).send();
