import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Context } from '../../platform/context.ts';
import { openAction } from '../../platform/http/action.ts';
import { callerAddress } from '../../platform/http/caller-address.ts';
import { seeOther, sendCard } from '../../platform/http/card.ts';
import { basePath } from '../../platform/http/page.ts';
import { pauseOf } from '../../platform/limits/rates.ts';
import { type Email, notAnEmail, readEmail } from '../auth/email.ts';
import { isOwnForm, openForm } from '../auth/form.ts';
import { sendLapsedForm } from '../auth/lapsed-form.ts';
import { findUserByEmail } from '../auth/operators-store.ts';
import { admitAttempt, pauseInWords } from './attempts.ts';
import { complaintPart, forgottenCard, mailedCard } from './cards.ts';
import { recoveryMailsTo } from './mails.ts';
import { resetPassword } from './reset-password.ts';

/** GET /forgotten-password/: asks for the address, if a mail server is configured. */
export const showForgottenPassword = openAction({
  handle: async ({ context, request, reply }) =>
    context.config.smtp ? sendForm(context, request, reply, { email: '' }) : sendAway(context, reply),
});

const optionalText = Type.Optional(Type.String());

/**
 * POST /forgotten-password/: mails a link. The answer is the same whether the account exists or not, and comes at
 * once. Too frequent requests get a 429.
 */
export const mailPasswordLink = openAction({
  body: Type.Object({ email: optionalText, token: optionalText }),
  form: true,
  handle: async ({ context, body: { email = '', token = '' }, request, reply }) => {
    const { config, log } = context;
    const base = basePath(config.publicUrl);
    if (!config.smtp) return sendAway(context, reply);
    if (!isOwnForm(request, config, token)) return sendLapsedForm(reply, config, `${base}${path}`);
    const account = readEmail(email);
    if (account === null) return sendForm(context, request, reply, { email, complaint: notAnEmail });

    // Counted apart from passwords: requests for links must not keep the account's owner from signing in.
    const attempt = {
      account: `link for ${account}`,
      address: callerAddress(request, config.trustedProxies),
      browser: null,
    };
    const pauseMs = await admitAttempt(context, attempt);
    if (pauseMs > 0) {
      reply.header('retry-after', Math.ceil(pauseMs / 1000));
      const complaint = `Too many attempts. Wait ${pauseInWords(pauseMs)}, then try again.`;
      return sendForm(context, request, reply, { email, complaint, status: 429 });
    }
    mailLink(context, account).catch((error: unknown) => log.error({ err: error }, 'no link was mailed'));
    return sendCard(reply, mailedCard({ base, email }), { publicUrl: config.publicUrl });
  },
});

const path = '/forgotten-password/';

async function mailLink(context: Context, email: Email): Promise<void> {
  const user = await findUserByEmail(context.sql, email);
  if (!user || (await pauseOf(context, [recoveryMailsTo(email)])) > 0) return;
  await resetPassword(context, user);
}

const sendAway = ({ config }: Context, reply: FastifyReply): FastifyReply =>
  seeOther(reply, `${basePath(config.publicUrl)}/sign-in/`);

function sendForm(
  { config: { publicUrl } }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, complaint = null, status }: { email: string; complaint?: string | null; status?: number },
): FastifyReply {
  const texts = { base: basePath(publicUrl), token: openForm(request, reply), email };
  return sendCard(reply, forgottenCard(texts, { complaint: complaintPart(complaint) }), {
    publicUrl,
    status: status ?? (complaint === null ? 200 : 400),
  });
}
