import { setOwner } from '../../src/access/auth/operators-store.ts';
import { createApplication } from '../../src/access/oauth/applications.ts';
import { issueToken } from '../../src/access/oauth/issue-token.ts';
import { createUser } from '../../src/access/operators/create-user.ts';
import { createBotKey } from '../../src/access/projects/bot-keys.ts';
import { keepForEver } from '../../src/access/projects/retention.ts';
import type { Context } from '../../src/platform/context.ts';
import { randomToken, sha256 } from '../../src/platform/secrets/secret.ts';
import { setSecret } from '../../src/scenarios/secrets.ts';
import { inConsole } from './console-probes.ts';
import { type Furnished, redirectUri } from './furnish.ts';
import { type Probe, probe } from './probe.ts';

/** Objects that an administrator of the project may change and delete without harm to other attacks. */
export async function addSpares(
  context: Context,
  { projectId, name, password }: { projectId: string; name: string; password: string },
) {
  const { sql } = context;
  const [spare, leaver] = await Promise.all(
    ['spare', 'leaver'].map((who) =>
      createUser(context, { projectId, email: `${who}@${name}.test`, role: 'operator', password }),
    ),
  );
  await sql`
    update operators set name = ${`hush-${name} spare`} where project_id = ${projectId} and id = ${spare?.id ?? ''}`;
  if (spare) await setOwner(sql, spare.id, true);
  const token = randomToken();
  await sql`
    insert into person_sessions (token_hash, user_id, created_at, seen_at)
    values (${sha256(token)}, ${spare?.id ?? ''}, '2099-01-01', '2099-01-01')`;
  const application = await createApplication(context, {
    name: `spare-application-${name}`,
    redirectUris: [redirectUri],
    ownerId: projectId,
  });
  await issueToken(context, { projectId, applicationId: application.clientId });
  for (const secret of ['CRM', 'SPARE']) {
    await setSecret(context, projectId, {
      name: secret,
      host: 'crm.test',
      value: `vaulted-${name}-${secret}`,
    });
  }
  const key = await createBotKey(context, { projectId, name: `spare-key-${name}` });
  return {
    sparePerson: { cookie: `__Host-patchbay-session=${token}` },
    leaverId: leaver?.id ?? '',
    spareMemberId: spare?.id ?? '',
    spareApplicationId: application.clientId,
    spareKeyId: key.id,
  };
}

export function administrationProbes(own: Furnished): Probe[] {
  const { name, password, sparePerson } = own;
  const headers = inConsole(own);
  const page = { limit: '10', offset: '0' };
  const call = (route: string, parts: object = {}) =>
    probe(route.replace(' ', ' /console/api/'), headers, parts);
  const application = { params: { uuid: own.spareApplicationId } };
  const key = { params: { uuid: own.spareKeyId } };
  const member = { params: { uuid: own.spareMemberId } };
  const form = { name: 'Own', redirect_uris: ['https://own.test/back'] };
  const settings = {
    name,
    tracks_links: true,
    open_session_on_message: false,
    default_country: 'NO',
    quiet_from: '21:00',
    quiet_until: '09:00',
    timezone: 'Europe/Oslo',
    cap_messages: 100,
    cap_days: 1,
    leave_words: ['stop'],
    return_words: ['start'],
    leave_answer: 'Bye',
    return_answer: 'Welcome',
    test_above: null,
    needs_approval: false,
    conversion_days: 7,
  };
  const retention = { ...keepForEver, messages: 120, legal_hold: true };
  return [
    probe('GET /forgotten-password/', own.fresh.headers),
    probe('POST /forgotten-password/', own.fresh.headers, {
      body: { token: own.fresh.token, email: own.email },
    }),
    probe('POST /console/api/account/password/', sparePerson, { body: { current: password, password } }),
    probe('POST /console/api/account/invitations/:uuid/', sparePerson, { params: { uuid: own.projectId } }),
    probe('DELETE /console/api/account/invitations/:uuid/', sparePerson, { params: { uuid: own.projectId } }),
    probe('POST /console/api/projects/', sparePerson, { body: { name: 'Another' } }),
    call('GET settings/'),
    call('PATCH settings/', { body: settings }),
    call('GET retention/'),
    call('PUT retention/', { body: retention }),
    call('GET secrets/', { query: page }),
    call('PUT secrets/:name/', { params: { name: 'CRM' }, body: { host: 'crm.test', value: 'a value' } }),
    call('DELETE secrets/:name/', { params: { name: 'SPARE' } }),
    call('GET team/', { query: page }),
    call('POST team/', { body: { email: `newcomer@${name}.test`, role: 'operator' } }),
    call('POST team/:uuid/link/', member),
    call('PATCH team/:uuid/', { ...member, body: { name: 'Spare', role: 'operator' } }),
    call('DELETE team/:uuid/', { params: { uuid: own.leaverId } }),
    call('GET applications/', { query: page }),
    call('POST applications/', { body: form }),
    call('PATCH applications/:uuid/', { ...application, body: form }),
    call('POST applications/:uuid/secret/', application),
    call('POST applications/:uuid/revoke/', application),
    call('DELETE applications/:uuid/', application),
    call('GET bot-keys/', { query: page }),
    call('POST bot-keys/', { body: { name: 'Key' } }),
    call('PATCH bot-keys/:uuid/', { ...key, body: { name: 'Key' } }),
    call('DELETE bot-keys/:uuid/', key),
  ];
}
