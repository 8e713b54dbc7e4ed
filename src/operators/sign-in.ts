import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import Type from 'typebox';
import type { Config } from '../config.ts';
import { openAction } from '../http/action.ts';
import { basePath, fillPage, sendPage } from '../http/page.ts';
import { sha256 } from '../lib/secret.ts';
import { findSignInUser, type SignInUser, useSignInLink } from './sign-in-store.ts';

const pages = join(import.meta.dirname, '..', '..', 'web', 'sign-in');
const read = (name: string): string => readFileSync(join(pages, name), 'utf8');

const askPage = read('ask.html');
const donePage = read('done.html');
const deadPage = read('dead.html');

const params = Type.Object({ token: Type.String() });

/** Says whom the link is for. Opening it uses nothing up, since mail programs and chats open links by themselves. */
export const showSignIn = openAction({
  params,
  handle: async ({ context: { sql, clock, config }, params: { token }, reply }) =>
    answer(reply, config, askPage, await findSignInUser(sql, sha256(token), clock.now())),
});

/** Uses the link up. The console that it will lead to comes with a later release. */
export const signIn = openAction({
  params,
  handle: async ({ context: { sql, clock, config }, params: { token }, reply }) =>
    answer(reply, config, donePage, await useSignInLink(sql, sha256(token), clock.now())),
});

function answer(
  reply: FastifyReply,
  { publicUrl }: Config,
  page: string,
  user: SignInUser | undefined,
): FastifyReply {
  const base = basePath(publicUrl);
  if (!user) return sendPage(reply, fillPage(deadPage, { base }), 404);
  return sendPage(reply, fillPage(page, { base, email: user.email, projects: user.projects.join(', ') }));
}
