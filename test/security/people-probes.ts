import { formTokenOf } from '../../src/access/auth/session.ts';
import { challengeOf } from '../../src/access/oauth/rules.ts';
import { inviteUser } from '../../src/access/operators/invite-user.ts';
import type { Context } from '../../src/platform/context.ts';
import { randomToken, sha256 } from '../../src/platform/secrets/secret.ts';
import { codeVerifier, type Furnished, redirectUri } from './furnish.ts';
import { type Probe, probe } from './probe.ts';

/** A browser, and the token of its forms. */
type Browser = { headers: { cookie: string }; token: string };

const browserWith = (token: string): Browser => ({
  headers: { cookie: `__Host-patchbay-session=${token}` },
  token: formTokenOf(token),
});

/** Browsers with signed-in people, and a colleague without a password. Nothing lapses during the attacks. */
export async function addSessions(
  context: Context,
  { projectId, name, operatorId: ownerId }: { projectId: string; name: string; operatorId: string },
) {
  const { sql } = context;
  const email = `colleague@${name}.test`;
  const { id: colleagueId, link } = await inviteUser(context, {
    projectId,
    projectName: name,
    email,
    role: 'operator',
  });
  await sql`update operators set name = ${`hush-${name} colleague`} where id = ${colleagueId}`;
  await sql`update sign_in_links set expires_at = '2099-01-01' where user_id in (${ownerId}, ${colleagueId})`;
  const signIn = async (userId: string): Promise<string> => {
    const token = randomToken();
    await sql`
      insert into person_sessions (token_hash, user_id, created_at, seen_at)
      values (${sha256(token)}, ${userId}, '2099-01-01', '2099-01-01')`;
    return token;
  };
  const sessionToken = await signIn(ownerId);
  return {
    sessionToken,
    passwordToken: (link ?? '').split('/').at(-2) ?? '',
    person: browserWith(sessionToken),
    colleague: browserWith(await signIn(colleagueId)),
    /** A browser without a sign-in. */
    fresh: browserWith(randomToken()),
  };
}

export function peopleProbes(own: Furnished): Probe[] {
  const { fresh, person, colleague, signInToken, passwordToken } = own;
  const next = '/console/';
  const form = { token: fresh.token };
  const query = {
    client_id: own.own.clientId,
    redirect_uri: redirectUri,
    state: 'state',
    response_type: 'code',
    code_challenge: challengeOf(codeVerifier),
    code_challenge_method: 'S256',
  };
  const decision = { token: person.token, decision: 'approve', project: own.projectId };
  const password = `new ${own.password}`;
  return [
    probe('GET /integrations/oauth/', person.headers, { query }),
    probe('POST /integrations/oauth/', person.headers, { query, body: decision }),
    probe('GET /sign-in/', person.headers, { query: { next } }),
    probe('POST /sign-in/', fresh.headers, {
      body: { ...form, next, email: own.email, password: own.password },
    }),
    probe('GET /sign-in/:token/', fresh.headers, { params: { token: signInToken } }),
    probe('POST /sign-in/:token/', fresh.headers, { params: { token: signInToken }, body: form }),
    probe('POST /sign-out/', colleague.headers, {
      body: { token: colleague.token, everywhere: 'true', next },
    }),
    probe('GET /password/:token/', fresh.headers, { params: { token: passwordToken } }),
    probe('POST /password/:token/', fresh.headers, {
      params: { token: passwordToken },
      body: { ...form, password, again: password },
    }),
  ];
}
