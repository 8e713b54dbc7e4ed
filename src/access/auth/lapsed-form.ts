import type { FastifyReply } from 'fastify';
import type { Config } from '../../platform/config.ts';
import { cardTemplate, sendCard } from '../../platform/http/card.ts';

const lapsedCard = cardTemplate('sign-in/lapsed.html', 'Please try again');

/** The answer to a form that is too late, or is not from our page in this browser. `again` is the page's address. */
export const sendLapsedForm = (reply: FastifyReply, { publicUrl }: Config, again: string): FastifyReply =>
  sendCard(reply, lapsedCard({ again }), { publicUrl, status: 403 });
