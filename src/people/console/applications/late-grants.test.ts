import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { manualClock } from '../../../../test/clock.ts';
import { createPartner, startPatchbay } from '../../../../test/harness.ts';
import { seedAdmin } from '../../../../test/seed.ts';
import { isSomebodyWaiting, somebodyWaits, twoSessions } from '../../../../test/waiting.ts';
import { insertLink } from '../../../access/iframe/store.ts';
import { createCode } from '../../../access/oauth/create-code.ts';
import { redeemCode, revokeAccess } from '../../../access/oauth/store.ts';
import { createUser } from '../../../access/operators/create-user.ts';
import { saveEndpoint } from '../../../events/endpoints/store.ts';
import type { Sql } from '../../../platform/database/database.ts';
import { randomToken, sha256 } from '../../../platform/secrets/secret.ts';

/** What an application makes at the moment at which its access ends. */

const clock = manualClock();
const patchbay = await startPatchbay({ after }, { clock, config: { roles: ['api'] } });
const { call, context } = patchbay;
const { sql } = context;

async function newPartner() {
  const partner = await createPartner({ after }, patchbay);
  const { projectId } = partner;
  const email = `${randomUUID()}@shop.test`;
  const { id } = await createUser(context, { projectId, email, role: 'operator', password: 'long enough' });
  return { ...partner, operatorId: id };
}

type Partner = Awaited<ReturnType<typeof newPartner>>;

/** Revokes the access while the application is making something. */
async function revokeDuring(
  { projectId, applicationId }: Partner,
  make: (transaction: Sql) => Promise<unknown>,
): Promise<void> {
  let isOver = false;
  let revoking: Promise<void> | undefined;
  await sql.begin(async (transaction) => {
    await make(transaction);
    revoking = revokeAccess(sql, projectId, applicationId, clock.now()).then(() => {
      isOver = true;
    });
    while (!isOver && !(await isSomebodyWaiting(sql)));
  });
  await revoking;
}

test('a link that is made while the access ends, ends with it', twoSessions, async () => {
  const partner = await newPartner();
  const { projectId, applicationId, operatorId } = partner;
  const link = {
    id: context.newId(),
    tokenHash: sha256(randomToken()),
    profileId: null,
    createdAt: clock.now(),
    expiresAt: new Date(clock.now().getTime() + 60_000),
  };
  await revokeDuring(partner, (on) => insertLink(on, { ...link, projectId, applicationId, operatorId }));
  assert.deepEqual(await sql`select id from iframe_links where project_id = ${projectId}`, []);
});

test('a webhook that is set while the access ends is disabled', twoSessions, async () => {
  const partner = await newPartner();
  const { projectId, applicationId } = partner;
  const webhook = {
    id: context.newId(),
    url: 'https://crm.test/hook',
    eventTypes: [],
    platforms: [],
    sealedSecrets: Buffer.alloc(0),
    createdAt: clock.now(),
  };
  await revokeDuring(partner, (on) => saveEndpoint(on, { ...webhook, projectId, applicationId }));
  const rows = await sql`select disabled_at from endpoints where project_id = ${projectId}`;
  assert.deepEqual(rows, [{ disabled_at: clock.now() }]);
});

test('a code that is used while the access ends opens nothing', twoSessions, async () => {
  const partner = await newPartner();
  const { projectId, applicationId } = partner;
  const redirectUri = 'https://crm.test/callback';
  const approvedBy = await seedAdmin(sql, projectId);
  const grant = { projectId, applicationId, redirectUri, codeChallenge: null, approvedBy };
  const code = await createCode(context, grant);
  const later = new Date(clock.now().getTime() + 60_000);
  const pair = {
    accessHash: sha256(randomToken()),
    accessExpiresAt: later,
    refreshHash: sha256(randomToken()),
    refreshExpiresAt: later,
  };
  const use = {
    codeHash: sha256(code),
    applicationId,
    redirectUri,
    codeChallenge: null,
    familyId: context.newId(),
    now: clock.now(),
  };
  await revokeDuring(partner, (on) => redeemCode(on, use, pair));
  const alive =
    await sql`select id from token_families where project_id = ${projectId} and revoked_at is null`;
  assert.deepEqual(alive, []);
});

test('a link for an operator who is being removed is refused', twoSessions, async () => {
  const { projectId, operatorId, token } = await newPartner();
  let asking: ReturnType<typeof call> | undefined;
  await sql.begin(async (transaction) => {
    await transaction`delete from operators where project_id = ${projectId} and id = ${operatorId}`;
    asking = call('POST', '/api/partners/iframe/', {
      headers: token,
      body: { operator: { uuid: operatorId } },
    });
    await somebodyWaits(sql);
  });
  const answer = await asking;
  assert.equal(answer?.status, 400);
  assert.deepEqual(answer?.body, { operator: { uuid: [`Object with uuid=${operatorId} does not exist.`] } });
});
