import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { createCode } from '../../src/access/oauth/create-code.ts';
import { TokenRequest } from '../../src/access/oauth/schema.ts';
import { messageBody, receiptBody, stoppedBody } from '../../src/channels/messengers/api-messenger/schema.ts';
import { ProfileFilters, ProfileUpdate } from '../../src/clients/profiles/schema.ts';
import {
  PromocodeCreate,
  PromocodeGenerate,
  PromocodeGroupCreate,
  PromocodeGroupPatch,
  PromocodePatch,
} from '../../src/clients/promocodes/schema.ts';
import { Credentials } from '../../src/events/endpoints/schema.ts';
import { TestedMailingCreate } from '../../src/mailings/ab-test/schema.ts';
import { ConnectorEvent } from '../../src/messaging/connector/schema.ts';
import { PushMessageCreate, PushMessageFilters } from '../../src/messaging/push-messages/schema.ts';
import { TaskCreate } from '../../src/messaging/stream/schema.ts';
import {
  ChatsQuery,
  Closing,
  LiveQuery as LiveChatsQuery,
  NewMessage as NewAnswer,
  NewNote,
  Passing,
  QuickAnswerWrite,
  ReadMark,
  TimelineQuery,
} from '../../src/people/chat-center/schema.ts';
import { PasswordChange } from '../../src/people/console/account/schema.ts';
import { ApplicationCreate, ApplicationPatch } from '../../src/people/console/applications/schema.ts';
import { AudienceWrite } from '../../src/people/console/audiences/schema.ts';
import { BotKeyName } from '../../src/people/console/bot-keys/schema.ts';
import {
  ChannelCreate,
  ChannelPatch,
  ChatOpening,
  SettingsCheck,
} from '../../src/people/console/channels/schema.ts';
import { Named } from '../../src/people/console/dictionary/schema.ts';
import { MailingDraft, ScheduleQuery } from '../../src/people/console/mailings/draft-schema.ts';
import { MailingFilters, RecipientFilters, Resend } from '../../src/people/console/mailings/schema.ts';
import { ClientQuery, ClientUpdate } from '../../src/people/console/profiles/schema.ts';
import { ProjectCreate } from '../../src/people/console/projects/schema.ts';
import { CodesGenerate, CodesImport, CodesQuery } from '../../src/people/console/promocodes/schema.ts';
import { RetentionPut } from '../../src/people/console/retention/schema.ts';
import {
  ScenarioCheck,
  ScenarioCreate,
  ScenarioDraftSave,
  ScenarioPlay,
  ScenarioTestCreate,
  ScenarioUpdate,
} from '../../src/people/console/scenarios/schema.ts';
import { StarterAdd, StarterPatch } from '../../src/people/console/scenarios/starters/schema.ts';
import { SecretPut } from '../../src/people/console/secrets/schema.ts';
import { SettingsPatch } from '../../src/people/console/settings/schema.ts';
import { Invitation, TeamMemberPatch } from '../../src/people/console/team/schema.ts';
import {
  TemplateCreate,
  TemplatePreview,
  TemplateSubmit,
  TemplateUpdate,
} from '../../src/people/console/templates/schema.ts';
import { EventFilters, EventRange, ProjectWebhookPut } from '../../src/people/console/webhooks/schema.ts';
import { IframeLinkCreate } from '../../src/people/iframe/schema.ts';
import {
  Confirmation,
  HistoryQuery,
  LiveQuery,
  NewMessage,
  NewSession,
} from '../../src/people/widget/schema.ts';
import { allRoutes } from './all-routes.ts';
import { assertHarmless, send } from './answers.ts';
import { isIn } from './foreign.ts';
import { grantOf } from './furnish.ts';
import { leavesOf, leavesOfSchema } from './leaves.ts';
import { attackWithNames, oneOfEachForm, targetOf } from './matrix.ts';
import { renewed } from './places.ts';
import { requestOf } from './probe.ts';
import { probesOf } from './probes.ts';
import { rowsOf, tables, texts } from './rows.ts';
import { startScene } from './scene.ts';

const scene = await startScene({ after });
const { patchbay, alpha, bravo } = scene;
const { sql } = patchbay.context;
const probes = probesOf(alpha, scene.widgetVersion, scene.webhookUrl);

const target = await targetOf(scene);
const { before, named, hushed } = target;

test('the victim has rows in every table', async () => {
  const filled = new Set(before.bravo.map(({ table }) => table));
  // At most one demo exists, in neither project. Sign-in attempts, counted rates and jobs belong to no project.
  const empty = (await tables(sql))
    .map(({ table }) => table)
    .filter((table) => !filled.has(table) && !['demos', 'sign_in_attempts', 'rates', 'jobs'].includes(table));
  assert.deepEqual(empty, [], 'furnish a project with these in test/security/furnish.ts');
});

test('every route is attacked', async () => {
  const attacked = new Set(probes.map(({ route }) => route));
  const known = (await allRoutes(patchbay.context)).filter((route) => !route.startsWith('HEAD '));
  assert.deepEqual([...attacked].sort(), known, 'call it in test/security/probes.ts');
});

const schemas: Record<string, object[]> = {
  'GET /chat-center/api/chats/': [ChatsQuery],
  'GET /chat-center/api/live/': [LiveChatsQuery],
  'GET /chat-center/api/chats/:uuid/messages/': [TimelineQuery],
  'POST /chat-center/api/chats/:uuid/messages/': [NewAnswer],
  'POST /chat-center/api/chats/:uuid/notes/': [NewNote],
  'POST /chat-center/api/chats/:uuid/read/': [ReadMark],
  'POST /chat-center/api/chats/:uuid/pass/': [Passing],
  'POST /chat-center/api/chats/:uuid/close/': [Closing],
  'POST /chat-center/api/quick-answers/': [QuickAnswerWrite],
  'PUT /chat-center/api/quick-answers/:uuid/': [QuickAnswerWrite],
  'POST /console/api/messengers/check/': [SettingsCheck],
  'POST /console/api/channels/': [ChannelCreate],
  'POST /console/api/channels/:uuid/open-chat/': [ChatOpening],
  'PATCH /console/api/channels/:uuid/': [ChannelPatch],
  'PUT /console/api/webhooks/project/': [ProjectWebhookPut],
  'GET /console/api/webhooks/:uuid/events/': [EventFilters],
  'GET /console/api/webhooks/:uuid/replay/': [EventRange],
  'POST /console/api/webhooks/:uuid/replay/': [EventRange],
  'POST /api/partners/oauth/': [TokenRequest],
  'POST /api/partners/connector/': [ConnectorEvent],
  'POST /api/partners/push-messages/': [PushMessageCreate],
  'GET /api/partners/push-messages/': [PushMessageFilters],
  'POST /api/partners/stream/': [TaskCreate],
  'POST /api/partners/mailings/': [TestedMailingCreate],
  'POST /console/api/mailings/': [TestedMailingCreate],
  'PUT /console/api/mailings/:uuid/': [TestedMailingCreate],
  'POST /console/api/mailings/audience/': [MailingDraft],
  'POST /console/api/mailings/preview/': [MailingDraft],
  'POST /console/api/mailings/dry-run/': [MailingDraft],
  'POST /console/api/mailings/:uuid/resend/': [Resend],
  'GET /console/api/mailings/': [MailingFilters],
  'GET /console/api/mailings/schedule/': [ScheduleQuery],
  'GET /console/api/mailings/:uuid/recipients/': [RecipientFilters],
  'GET /console/api/profiles/': [ClientQuery],
  'PUT /console/api/profiles/:uuid/': [ClientUpdate],
  'POST /console/api/tags/': [Named],
  'POST /console/api/attributes/': [Named],
  'GET /console/api/promocode-groups/:uuid/codes/': [CodesQuery],
  'POST /console/api/promocode-groups/:uuid/generate/': [CodesGenerate],
  'POST /console/api/promocode-groups/:uuid/import/': [CodesImport],
  'POST /api/partners/iframe/': [IframeLinkCreate],
  'GET /api/partners/profiles/': [ProfileFilters],
  'PUT /api/partners/profiles/:uuid/': [ProfileUpdate],
  'POST /api/partners/promocode-groups/': [PromocodeGroupCreate],
  'PATCH /api/partners/promocode-groups/:uuid/': [PromocodeGroupPatch],
  'POST /api/partners/promocodes/': [PromocodeCreate],
  'PATCH /api/partners/promocodes/:uuid/': [PromocodePatch],
  'POST /api/partners/promocodes/generate/': [PromocodeGenerate],
  'PUT /api/partners/integrations/credentials/': [Credentials],
  'POST /console/api/account/password/': [PasswordChange],
  'POST /console/api/projects/': [ProjectCreate],
  'PATCH /console/api/settings/': [SettingsPatch],
  'PUT /console/api/retention/': [RetentionPut],
  'PUT /console/api/secrets/:name/': [SecretPut],
  'POST /console/api/team/': [Invitation],
  'PATCH /console/api/team/:uuid/': [TeamMemberPatch],
  'POST /console/api/applications/': [ApplicationCreate],
  'PATCH /console/api/applications/:uuid/': [ApplicationPatch],
  'POST /console/api/bot-keys/': [BotKeyName],
  'PATCH /console/api/bot-keys/:uuid/': [BotKeyName],
  'POST /channels/:uuid/:first/': [messageBody, receiptBody, stoppedBody],
  'POST /widget/:channel/sessions/': [NewSession],
  'GET /widget/:channel/messages/': [HistoryQuery],
  'POST /widget/:channel/messages/': [NewMessage],
  'POST /widget/:channel/receipts/': [Confirmation],
  'GET /widget/:channel/live/': [LiveQuery],
  'POST /console/api/scenarios/': [ScenarioCreate],
  'POST /console/api/scenarios/check/': [ScenarioCheck],
  'POST /console/api/scenarios/play/': [ScenarioPlay],
  'PUT /console/api/scenarios/:id/': [ScenarioUpdate],
  'PUT /console/api/scenarios/:id/draft/': [ScenarioDraftSave],
  'POST /console/api/scenarios/:id/tests/': [ScenarioTestCreate],
  'POST /console/api/scenarios/:id/starters/': [StarterAdd],
  'POST /console/api/scenarios/:id/starters/check/': [StarterAdd],
  'PATCH /console/api/scenarios/:id/starters/:starter/': [StarterPatch],
  'POST /console/api/audiences/': [AudienceWrite],
  'PUT /console/api/audiences/:uuid/': [AudienceWrite],
  'POST /console/api/templates/': [TemplateCreate],
  'POST /console/api/templates/submit/': [TemplateSubmit],
  'POST /console/api/templates/preview/': [TemplatePreview],
  'PUT /console/api/templates/:pid/': [TemplateUpdate],
};

test('every field is attacked', () => {
  for (const [route, ofRoute] of Object.entries(schemas)) {
    const given = probes
      .filter((probe) => probe.route === route)
      .flatMap(({ body, query }) => [...leavesOf(body), ...leavesOf(query)])
      .map(({ path }) => path.join('.'));
    const missing = ofRoute
      .flatMap((schema) => leavesOfSchema(schema))
      .map((path) => path.join('.'))
      .filter((path) => !given.some((place) => place === path || place.startsWith(`${path}.`)));
    assert.deepEqual(missing, [], `${route}: give them in test/security/probes.ts`);
  }
});

test('no readable answer names an object of another project', async () => {
  for (const probe of probes.filter(({ route }) => route.startsWith('GET '))) {
    const { text } = await send(patchbay.address, requestOf({ ...probe, query: {} }));
    for (const name of named) assert.ok(!isIn(text, name), `${probe.route} tells ${name.text}`);
  }
});

test('a name of another project is answered like an unknown one, and changes nothing there', () =>
  attackWithNames(scene, target, probes, oneOfEachForm()));

test('an idempotency key of another project counts as new, and replays nothing', async () => {
  const request = { method: 'POST', path: '/api/partners/push-messages/', body: bravo.scheduledBody };
  for (const key of [bravo.idempotencyKey, randomUUID()]) {
    const headers = { 'bot-key': alpha.botKey, 'idempotency-key': key };
    const answer = await send(patchbay.address, { ...request, headers });
    assert.deepEqual([answer.status, answer.text], [404, '{"detail":"Chat not found."}']);
    assert.equal(answer.headers['idempotent-replay'], undefined);
  }
});

test('every attacked route works for its own project', async () => {
  const code = await createCode(
    patchbay.context,
    grantOf(alpha.projectId, alpha.own.clientId, alpha.operatorId),
  );
  for (const probe of probesOf({ ...alpha, code }, scene.widgetVersion, scene.webhookUrl)) {
    const answer = await send(patchbay.address, requestOf(renewed(probe)));
    assertHarmless(answer);
    const expected = elsewhere[probe.route] ?? 299;
    assert.ok(answer.status <= expected, `${probe.route}: ${answer.status} ${answer.text}`);
  }
  assert.deepEqual(texts(await rowsOf(sql, bravo.projectId)), texts(before.bravo));
});

/** Routes with another expected answer. No messenger here has these addresses, and no visitor has written yet. */
const elsewhere: Record<string, number> = {
  'GET /': 302,
  'GET /l/:token/': 302,
  'GET /sign-in/': 303,
  'POST /sign-in/': 303,
  'POST /sign-in/:token/': 303,
  'POST /sign-out/': 303,
  'GET /forgotten-password/': 303,
  'POST /forgotten-password/': 303,
  'POST /password/:token/': 303,
  'POST /integrations/oauth/': 303,
  'GET /channels/:uuid/': 404,
  'GET /channels/:uuid/:first/': 405,
  'GET /channels/:uuid/:first/:second/': 404,
  'POST /channels/:uuid/:first/:second/': 404,
  // Any text is a draft, so an attack before may have saved one.
  'PUT /console/api/scenarios/:id/': 409,
  'PUT /console/api/scenarios/:id/draft/': 409,
  'GET /demo/last-answer/': 404,
  // Clients of its messenger write first, and its channel takes no templates.
  'POST /console/api/channels/:uuid/open-chat/': 400,
  'POST /console/api/templates/submit/': 400,
  // The first of several turns the draft into a mailing.
  'PUT /console/api/mailings/:uuid/': 400,
  // No server answers there.
  'GET /chat-center/api/pictures/': 404,
  // They belong to it already.
  'POST /console/api/account/invitations/:uuid/': 404,
  'DELETE /console/api/account/invitations/:uuid/': 404,
  // The attack has set another password.
  'POST /console/api/account/password/': 400,
};

test('no text from people of one project is anywhere in another', async () => {
  const written = (await rowsOf(sql, alpha.projectId)).map(({ text }) => text).join('\n');
  for (const word of hushed) assert.ok(!written.includes(word), word);
});
