import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Context } from '../../platform/context.ts';
import { openAction } from '../../platform/http/action.ts';
import { callerAddress } from '../../platform/http/caller-address.ts';
import { seeOther, sendCard } from '../../platform/http/card.ts';
import { basePath } from '../../platform/http/page.ts';
import { type Email, readEmail } from '../auth/email.ts';
import { isOwnForm, openForm } from '../auth/form.ts';
import { sendLapsedForm } from '../auth/lapsed-form.ts';
import { findUserByEmail } from '../auth/operators-store.ts';
import { personIn } from '../auth/person.ts';
import { insertSession } from '../auth/session-store.ts';
import { signInAddress, wayBack } from '../auth/way-back.ts';
import { admitAttempt, forgiveAttempts, pauseInWords } from './attempts.ts';
import { complaintPart, forgottenPart, signInCard } from './cards.ts';
import { knownBrowser, knownBrowserCookie } from './known-browser.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { startSession } from './session.ts';
import { tellSignIn } from './sign-in-log.ts';

/** GET /sign-in/: the form, or for a signed-in person a redirect. `next` is the page that they came from. */
export const showSignIn = openAction({
  query: Type.Object({ next: Type.Optional(Type.String()) }),
  handle: async ({ context, query: { next = '' }, request, reply }) => {
    const { publicUrl } = context.config;
    const person = await personIn(context, request.headers);
    if (!person) return sendForm(context, request, reply, { next });
    return seeOther(reply, basePath(publicUrl) + (wayBack(next) ?? '/console/'));
  },
});

const text = Type.String({ default: '' });
const optionalText = Type.Optional(text);

/**
 * POST /sign-in/: signs in by password. An unknown address and a wrong password get the same answer after the same
 * time. After too many failures every attempt gets a 429 for a while.
 */
export const signIn = openAction({
  body: Type.Object({
    email: optionalText,
    password: optionalText,
    token: optionalText,
    next: optionalText,
  }),
  form: true,
  handle: async ({ context, body, request, reply }) => {
    const { email = '', password = '', token = '', next = '' } = body;
    const base = basePath(context.config.publicUrl);
    if (!isOwnForm(request, context.config, token)) {
      return sendLapsedForm(reply, context.config, signInAddress(base, next));
    }
    const refuse = (status: number, complaint: string) =>
      sendForm(context, request, reply, { next, email, status, complaint });

    const account = readEmail(email);
    const attempt = {
      account,
      address: callerAddress(request, context.config.trustedProxies),
      browser: account && knownBrowser(context.vault, request.headers, account),
    };
    const pauseMs = await admitAttempt(context, attempt);
    if (pauseMs > 0) {
      tellSignIn(context, attempt, { is: 'paused', pauseMs });
      reply.header('retry-after', Math.ceil(pauseMs / 1000));
      return refuse(429, `Too many attempts. Wait ${pauseInWords(pauseMs)}, then try again.`);
    }
    const proof = account && (await checkPassword(context, account, password));
    const isOpen =
      proof &&
      (await startSession(context, request, reply, (session) =>
        insertSession(context.sql, { ...session, ...proof }),
      ));
    if (!account || !proof || !isOpen) {
      tellSignIn(context, attempt, { is: 'refused' });
      return refuse(400, 'The email or password is wrong.');
    }
    tellSignIn(context, attempt, { is: 'signed in', userId: proof.userId });

    await forgiveAttempts(context, attempt);
    reply.header('set-cookie', knownBrowserCookie(context.vault, account));
    return seeOther(reply, base + (wayBack(next) ?? '/console/'));
  },
});

/** Verified when the user has no password, so that the answer takes as long. */
const decoy = hashPassword('');

type Proof = { userId: string; passwordHash: string };

/** The user with this email and password, or null. */
async function checkPassword({ sql }: Context, email: Email, password: string): Promise<Proof | null> {
  const user = await findUserByEmail(sql, email);
  const isRight = await verifyPassword(password, user?.password_hash ?? (await decoy));
  return user?.password_hash && isRight ? { userId: user.id, passwordHash: user.password_hash } : null;
}

type Form = { next: string; email?: string; complaint?: string; status?: number };

function sendForm(
  { config: { publicUrl, smtp } }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { next, email = '', complaint, status }: Form,
): FastifyReply {
  const texts = {
    base: basePath(publicUrl),
    token: openForm(request, reply),
    next: wayBack(next) ?? '',
    email,
  };
  const parts = {
    complaint: complaintPart(complaint ?? null),
    forgotten: forgottenPart(texts.base, smtp !== null),
  };
  return sendCard(reply, signInCard(texts, parts), { publicUrl, status });
}
