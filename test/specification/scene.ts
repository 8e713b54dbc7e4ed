import { createApplication } from '../../src/access/oauth/applications.ts';
import { createCode } from '../../src/access/oauth/create-code.ts';
import { addTemplate } from '../../src/messaging/templates/templates.ts';
import { importScenario } from '../../src/scenarios/import.ts';
import { createPartner, type Lifetime, startPatchbay } from '../harness.ts';
import { seedAdmin } from '../seed.ts';
import { startMessenger } from '../stand-ins/messenger.ts';

/** A project with one of every object in the contract. */
export type Scene = Awaited<ReturnType<typeof setScene>>;

export const redirectUri = 'https://crm.test/callback';
export const noSuch = '00000000-0000-7000-8000-000000000000';

export async function setScene(lifetime: Lifetime) {
  const patchbay = await startPatchbay(lifetime);
  const { context, call } = patchbay;
  const { clock } = context;
  const partner = await createPartner(lifetime, patchbay);
  const application = await createApplication(context, { name: 'Shop', redirectUris: [redirectUri] });
  const client = await partner.client('ann', { phone: '+4791234567' });
  await importScenario(context, {
    projectId: partner.projectId,
    file: Buffer.from(
      JSON.stringify({
        name: 'Welcome',
        steps: [
          { id: 'hello', type: 'message', text: 'Hi', next: 'end' },
          { id: 'end', type: 'end' },
        ],
      }),
    ),
  });
  await addTemplate(context, {
    projectId: partner.projectId,
    pid: 'order',
    body: 'Order {{number}}',
    language: 'en',
    approval: 'approved',
  });

  const as = (headers: Record<string, string>) => (method: string, path: string, body?: unknown) =>
    call(method, path, { headers, body });
  const asPartner = as(partner.token);
  await asPartner('PUT', `/api/partners/profiles/${client.profile}/`, { external_id: 'crm-1' });
  const made = async (path: string, body: object): Promise<string> => {
    const { status, body: answer } = await asPartner('POST', path, body);
    if (status !== 201) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`);
    return answer.uuid;
  };
  const push = (more: object = {}) =>
    made('/api/partners/push-messages/', {
      chat: { uuid: client.chat },
      content: { type: 'TEXT', text: 'Hi' },
      ...more,
    });
  const later = () => push({ launch_at: new Date(clock.now().getTime() + 3_600_000).toISOString() });
  const group = (name = 'Spring') => made('/api/partners/promocode-groups/', { name });
  const code = async (groupId: string) =>
    made('/api/partners/promocodes/', { code: `CODE-${context.newId()}`, group: groupId });
  const mailing = (more: object = {}) =>
    made('/api/partners/mailings/', { name: 'News', content_type: 'TEXT', text: 'Hi', ...more });
  const oauthCode = async () =>
    createCode(context, {
      applicationId: application.clientId,
      projectId: partner.projectId,
      redirectUri,
      codeChallenge: null,
      approvedBy: await seedAdmin(context.sql, partner.projectId),
    });
  return {
    patchbay,
    partner,
    application,
    client,
    clock,
    as,
    asPartner,
    push,
    later,
    group,
    code,
    mailing,
    oauthCode,
    webhookUrl: (await startMessenger(lifetime)).url,
  };
}
