import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Config } from '../../platform/config.ts';
import { openAction } from '../../platform/http/action.ts';
import { seeOther, sendCard } from '../../platform/http/card.ts';
import { basePath } from '../../platform/http/page.ts';
import { sha256 } from '../../platform/secrets/secret.ts';
import { isOwnForm, openForm } from '../auth/form.ts';
import { sendLapsedForm } from '../auth/lapsed-form.ts';
import { insertSession } from '../auth/session-store.ts';
import { findSignInUser, type SignInUser, setPassword } from '../auth/sign-in-store.ts';
import { complaintPart, deadCard, invitedCard, joiningPart, passwordCard } from './cards.ts';
import { complaintAboutPassword, hashPassword, shortestPassword } from './password.ts';
import { startSession } from './session.ts';

const params = Type.Object({ token: Type.String() });
const optionalText = Type.Optional(Type.String());

/** GET /password/{token}/: the form behind an invitation, or behind a link for a forgotten password. */
export const showPasswordForm = openAction({
  params,
  handle: async ({ context: { sql, clock, config }, params: { token }, request, reply }) => {
    const user = await findSignInUser(sql, 'password', sha256(token), clock.now());
    if (user) return sendForm(request, reply, config, user);
    const invited = await findSignInUser(sql, 'invitation', sha256(token), clock.now());
    return invited ? sendInvited(reply, config, invited) : sendDead(reply, config);
  },
});

/** POST /password/{token}/: spends the link, ends sessions in other browsers, and signs in. */
export const choosePassword = openAction({
  params,
  body: Type.Object({ password: optionalText, again: optionalText, token: optionalText }),
  form: true,
  handle: async ({ context, params: { token }, body, request, reply }) => {
    const { sql, clock, config } = context;
    const { password = '', again = '' } = body;
    const base = basePath(config.publicUrl);
    if (!isOwnForm(request, config, body.token ?? '')) {
      return sendLapsedForm(reply, config, `${base}/password/${encodeURIComponent(token)}/`);
    }
    const user = await findSignInUser(sql, 'password', sha256(token), clock.now());
    if (!user) return sendDead(reply, config);
    const complaint =
      complaintAboutPassword(password) ?? (password === again ? null : 'The passwords do not match.');
    if (complaint !== null) return sendForm(request, reply, config, user, complaint);

    const passwordHash = await hashPassword(password);
    const userId = await setPassword(sql, sha256(token), passwordHash, clock.now());
    if (userId === undefined) return sendDead(reply, config);
    const proof = { userId, passwordHash };
    await startSession(context, request, reply, (session) => insertSession(sql, { ...session, ...proof }));
    return seeOther(reply, `${base}/console/`);
  },
});

function sendForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl }: Config,
  { email, invited_to }: SignInUser,
  complaint: string | null = null,
): FastifyReply {
  const texts = { email, token: openForm(request, reply), shortest: String(shortestPassword) };
  return sendCard(
    reply,
    passwordCard(texts, {
      complaint: complaintPart(complaint),
      joining: joiningPart(invited_to),
    }),
    {
      publicUrl,
      status: complaint === null ? 200 : 400,
    },
  );
}

const sendInvited = (
  reply: FastifyReply,
  { publicUrl }: Config,
  { email, invited_to }: SignInUser,
): FastifyReply =>
  sendCard(reply, invitedCard({ base: basePath(publicUrl), email, project: invited_to ?? '' }), {
    publicUrl,
  });

const sendDead = (reply: FastifyReply, { publicUrl }: Config): FastifyReply =>
  sendCard(reply, deadCard({ base: basePath(publicUrl) }), { publicUrl, status: 404 });
