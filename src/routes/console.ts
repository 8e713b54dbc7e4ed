import { createMemberGuards, type MemberGuards } from '../access/auth/member.ts';
import { type Person, requirePerson } from '../access/auth/person.ts';
import { listProfileAudit } from '../clients/profiles/list-audit.ts';
import { readProfile } from '../clients/profiles/read.ts';
import { createCode } from '../clients/promocodes/create-code.ts';
import { createGroup } from '../clients/promocodes/create-group.ts';
import { deleteCode } from '../clients/promocodes/delete-code.ts';
import { deleteGroup } from '../clients/promocodes/delete-group.ts';
import { patchCode } from '../clients/promocodes/patch-code.ts';
import { patchGroup } from '../clients/promocodes/patch-group.ts';
import type { WriteCode } from '../clients/promocodes/write.ts';
import { readAbTest } from '../mailings/ab-test/read.ts';
import { calculateMailing } from '../mailings/calculate.ts';
import { stopAMailing } from '../mailings/stop.ts';
import type { AcceptPush } from '../messaging/push-messages/accept.ts';
import { createPushMessage } from '../messaging/push-messages/create.ts';
import { readPushMessage } from '../messaging/push-messages/read.ts';
import { declineProject, joinProject } from '../people/console/account/answer-invitation.ts';
import { changeOwnPassword } from '../people/console/account/change-password.ts';
import { readAccount } from '../people/console/account/read-account.ts';
import { createOwnApplication } from '../people/console/applications/create.ts';
import { deleteApplication } from '../people/console/applications/delete.ts';
import { listApplications } from '../people/console/applications/list.ts';
import { revokeApplication } from '../people/console/applications/revoke.ts';
import { rotateOwnSecret } from '../people/console/applications/rotate-secret.ts';
import { updateOwnApplication } from '../people/console/applications/update.ts';
import { createAudience } from '../people/console/audiences/create.ts';
import { removeAudience } from '../people/console/audiences/delete.ts';
import { listSaved } from '../people/console/audiences/list.ts';
import { readAudience } from '../people/console/audiences/read.ts';
import { changeAudience } from '../people/console/audiences/update.ts';
import { createKey } from '../people/console/bot-keys/create.ts';
import { listKeys } from '../people/console/bot-keys/list.ts';
import { renameKey } from '../people/console/bot-keys/rename.ts';
import { revokeKey } from '../people/console/bot-keys/revoke.ts';
import { checkAChannel } from '../people/console/channels/check-channel.ts';
import { checkSettings } from '../people/console/channels/check-settings.ts';
import { createChannel } from '../people/console/channels/create-channel.ts';
import { removeChannel } from '../people/console/channels/delete-channel.ts';
import { listFailures, readDeliveries } from '../people/console/channels/deliveries.ts';
import { listChannels } from '../people/console/channels/list-channels.ts';
import { listMessengers } from '../people/console/channels/list-messengers.ts';
import { openAChat } from '../people/console/channels/open-chat.ts';
import { patchChannel } from '../people/console/channels/patch-channel.ts';
import { pauseAChannel, resumeAChannel } from '../people/console/channels/pause-channel.ts';
import { readAccountOf } from '../people/console/channels/read-account.ts';
import { readChannel } from '../people/console/channels/read-channel.ts';
import { readFirstMessage } from '../people/console/channels/read-first-message.ts';
import { changeConsent, readConsent } from '../people/console/consent/client.ts';
import { exportSuppressions } from '../people/console/consent/export-suppressions.ts';
import { importSuppressions } from '../people/console/consent/import-suppressions.ts';
import {
  addSuppression,
  listSuppressions,
  removeSuppression,
} from '../people/console/consent/suppressions.ts';
import { changeTopic, createTopic, readTopics, removeTopic } from '../people/console/consent/topics.ts';
import {
  createAttribute,
  createTag,
  deleteAttribute,
  deleteTag,
  readAttributes,
  readTags,
} from '../people/console/dictionary/definitions.ts';
import { readAttributeUses, readTagUses } from '../people/console/dictionary/uses.ts';
import { keepDemoKeys } from '../people/console/home/keep-demo-keys.ts';
import { readHome } from '../people/console/home/read-home.ts';
import { chooseForRest } from '../people/console/mailings/ab-test/choose.ts';
import { approve } from '../people/console/mailings/approve.ts';
import { readCalendar } from '../people/console/mailings/calendar/calendar.ts';
import { readChoices } from '../people/console/mailings/choices.ts';
import { listColleagues, markColleague, unmarkColleague } from '../people/console/mailings/colleagues.ts';
import { compareMailings } from '../people/console/mailings/compare/compare.ts';
import { completeMailing } from '../people/console/mailings/complete.ts';
import { readApprovals } from '../people/console/mailings/count-approvals.ts';
import { countAudience } from '../people/console/mailings/count-audience.ts';
import { startMailing } from '../people/console/mailings/create.ts';
import { dryRun } from '../people/console/mailings/dry-run.ts';
import { exportRecipients } from '../people/console/mailings/export-recipients.ts';
import { readFailures } from '../people/console/mailings/failures.ts';
import { listSummaries } from '../people/console/mailings/list.ts';
import { overrideRules } from '../people/console/mailings/override.ts';
import { previewMailing } from '../people/console/mailings/preview.ts';
import { listProblems } from '../people/console/mailings/problems.ts';
import { readDetail } from '../people/console/mailings/read.ts';
import { listRecipients } from '../people/console/mailings/recipients.ts';
import { resendMailing } from '../people/console/mailings/resend.ts';
import { listRuns } from '../people/console/mailings/runs.ts';
import { readSchedule } from '../people/console/mailings/schedule.ts';
import { sendTest } from '../people/console/mailings/send-test.ts';
import { readMailingTimeline } from '../people/console/mailings/timeline.ts';
import { consolePage, toConsole } from '../people/console/page.ts';
import { listClients } from '../people/console/profiles/list-clients.ts';
import { readClientTimeline } from '../people/console/profiles/read-client-timeline.ts';
import { readOutcomes } from '../people/console/profiles/read-outcomes.ts';
import { updateClient } from '../people/console/profiles/update-client.ts';
import { createOwnProject, requireProjectMaker } from '../people/console/projects/create.ts';
import { exportCodes } from '../people/console/promocodes/export-codes.ts';
import { generateManyCodes } from '../people/console/promocodes/generate-codes.ts';
import { importCodes } from '../people/console/promocodes/import-codes.ts';
import { listGroupCodes } from '../people/console/promocodes/list-codes.ts';
import { listStockedGroups } from '../people/console/promocodes/list-groups.ts';
import { readStockedGroup } from '../people/console/promocodes/read-group.ts';
import { putProjectRetention } from '../people/console/retention/put.ts';
import { readProjectRetention } from '../people/console/retention/read.ts';
import { checkSource } from '../people/console/scenarios/check.ts';
import { createScenario } from '../people/console/scenarios/create.ts';
import { deleteTest } from '../people/console/scenarios/delete-test.ts';
import { listScenarios } from '../people/console/scenarios/list.ts';
import { listVersions } from '../people/console/scenarios/list-versions.ts';
import { listWalks } from '../people/console/scenarios/list-walks.ts';
import { noteScenarioEditor } from '../people/console/scenarios/note-editor.ts';
import { playSource } from '../people/console/scenarios/play.ts';
import { readScenario } from '../people/console/scenarios/read.ts';
import { readNumbers } from '../people/console/scenarios/read-numbers.ts';
import { readVersion } from '../people/console/scenarios/read-version.ts';
import { saveDraft } from '../people/console/scenarios/save-draft.ts';
import { saveTest } from '../people/console/scenarios/save-test.ts';
import { addStarter } from '../people/console/scenarios/starters/add-starter.ts';
import { changeStarter } from '../people/console/scenarios/starters/change-starter.ts';
import { checkStarter } from '../people/console/scenarios/starters/check-starter.ts';
import { deleteStarter } from '../people/console/scenarios/starters/delete-starter.ts';
import { listStarters } from '../people/console/scenarios/starters/list-starters.ts';
import { updateScenario } from '../people/console/scenarios/update.ts';
import { uploadFile } from '../people/console/scenarios/upload.ts';
import { deleteProjectSecret } from '../people/console/secrets/delete.ts';
import { listProjectSecrets } from '../people/console/secrets/list.ts';
import { putProjectSecret } from '../people/console/secrets/put.ts';
import { readSettings } from '../people/console/settings/read.ts';
import { updateSettings } from '../people/console/settings/update.ts';
import { inviteToTeam } from '../people/console/team/invite.ts';
import { listTeam } from '../people/console/team/list.ts';
import { makeMemberLink } from '../people/console/team/make-link.ts';
import { removeMember } from '../people/console/team/remove.ts';
import { updateMember } from '../people/console/team/update.ts';
import { createTemplate } from '../people/console/templates/create.ts';
import { removeTemplate } from '../people/console/templates/delete.ts';
import { listTemplates } from '../people/console/templates/list.ts';
import { previewTemplate } from '../people/console/templates/preview.ts';
import { submitATemplate } from '../people/console/templates/submit.ts';
import { updateTemplate } from '../people/console/templates/update.ts';
import { removeWebhook } from '../people/console/webhooks/delete-webhook.ts';
import { disableWebhook } from '../people/console/webhooks/disable-webhook.ts';
import { enableWebhook } from '../people/console/webhooks/enable-webhook.ts';
import { listEvents } from '../people/console/webhooks/list-events.ts';
import { listWebhooks } from '../people/console/webhooks/list-webhooks.ts';
import { putProjectWebhook } from '../people/console/webhooks/put-project-webhook.ts';
import { readEvent } from '../people/console/webhooks/read-event.ts';
import { replayAnEvent } from '../people/console/webhooks/replay-event.ts';
import { countRange, replayRange } from '../people/console/webhooks/replay-range.ts';
import { rotateWebhookSecret } from '../people/console/webhooks/rotate-webhook-secret.ts';
import { testWebhook } from '../people/console/webhooks/test-webhook.ts';
import { rotateIdentitySecret } from '../people/console/widget/rotate-identity-secret.ts';
import type { Context } from '../platform/context.ts';
import { anyone, type Guard } from '../platform/http/guard.ts';
import type { Route } from '../platform/http/router.ts';
import type { Places } from '../platform/places.ts';

/** The console: partners' actions on behalf of a member, and the console's own actions. */
export function addConsoleRoutes(
  route: Route,
  context: Context,
  { accept, writeCode, uploads }: { accept: AcceptPush; writeCode: WriteCode; uploads: Places },
): void {
  const guards = createMemberGuards(context);
  addAccountRoutes(route, requirePerson(context));
  route('POST', '/console/api/projects/', requireProjectMaker(context), createOwnProject);
  addProjectRoutes(route, guards);
  addClientRoutes(route, guards, accept);
  addPromocodeRoutes(route, guards, writeCode);
  addAudienceRoutes(route, guards);
  addMailingRoutes(route, guards, accept);
  addConsentRoutes(route, guards);
  addScenarioRoutes(route, guards, uploads);
  addChannelRoutes(route, guards);
  addWebhookRoutes(route, guards);
}

function addAccountRoutes(route: Route, person: Guard<Person>): void {
  route('GET', '/', anyone, toConsole);
  route('GET', '/console/', anyone, consolePage);
  route('GET', '/console/:project/', anyone, consolePage);
  route('GET', '/console/:project/*', anyone, consolePage);
  route('GET', '/console/api/account/', person, readAccount);
  route('POST', '/console/api/account/password/', person, changeOwnPassword);
  route('POST', '/console/api/account/invitations/:uuid/', person, joinProject);
  route('DELETE', '/console/api/account/invitations/:uuid/', person, declineProject);
}

function addProjectRoutes(route: Route, { requireAdmin }: MemberGuards): void {
  route('GET', '/console/api/settings/', requireAdmin, readSettings);
  route('PATCH', '/console/api/settings/', requireAdmin, updateSettings);
  route('GET', '/console/api/retention/', requireAdmin, readProjectRetention);
  route('PUT', '/console/api/retention/', requireAdmin, putProjectRetention);
  route('GET', '/console/api/secrets/', requireAdmin, listProjectSecrets);
  route('PUT', '/console/api/secrets/:name/', requireAdmin, putProjectSecret);
  route('DELETE', '/console/api/secrets/:name/', requireAdmin, deleteProjectSecret);
  route('GET', '/console/api/team/', requireAdmin, listTeam);
  route('POST', '/console/api/team/', requireAdmin, inviteToTeam);
  route('PATCH', '/console/api/team/:uuid/', requireAdmin, updateMember);
  route('DELETE', '/console/api/team/:uuid/', requireAdmin, removeMember);
  route('POST', '/console/api/team/:uuid/link/', requireAdmin, makeMemberLink);
  route('GET', '/console/api/applications/', requireAdmin, listApplications);
  route('POST', '/console/api/applications/', requireAdmin, createOwnApplication);
  route('PATCH', '/console/api/applications/:uuid/', requireAdmin, updateOwnApplication);
  route('DELETE', '/console/api/applications/:uuid/', requireAdmin, deleteApplication);
  route('POST', '/console/api/applications/:uuid/revoke/', requireAdmin, revokeApplication);
  route('POST', '/console/api/applications/:uuid/secret/', requireAdmin, rotateOwnSecret);
  route('GET', '/console/api/bot-keys/', requireAdmin, listKeys);
  route('POST', '/console/api/bot-keys/', requireAdmin, createKey);
  route('PATCH', '/console/api/bot-keys/:uuid/', requireAdmin, renameKey);
  route('DELETE', '/console/api/bot-keys/:uuid/', requireAdmin, revokeKey);
  route('GET', '/console/api/home/', requireAdmin, readHome);
  route('POST', '/console/api/home/demo-keys/', requireAdmin, keepDemoKeys);
}

function addClientRoutes(
  route: Route,
  { requireMember, requireAdmin }: MemberGuards,
  accept: AcceptPush,
): void {
  route('GET', '/console/api/push-messages/:uuid/', requireAdmin, readPushMessage);
  route('POST', '/console/api/push-messages/', requireAdmin, createPushMessage(accept));
  route('GET', '/console/api/profiles/', requireMember, listClients);
  route('GET', '/console/api/profiles/audit/', requireMember, listProfileAudit);
  route('GET', '/console/api/profiles/:uuid/', requireMember, readProfile);
  route('PUT', '/console/api/profiles/:uuid/', requireMember, updateClient);
  route('GET', '/console/api/profiles/:uuid/timeline/', requireMember, readClientTimeline);
  route('GET', '/console/api/profiles/:uuid/outcomes/', requireMember, readOutcomes);
  route('GET', '/console/api/profiles/:uuid/consent/', requireMember, readConsent);
  route('POST', '/console/api/profiles/:uuid/consent/', requireMember, changeConsent);
  route('GET', '/console/api/tags/', requireMember, readTags);
  route('POST', '/console/api/tags/', requireAdmin, createTag);
  route('DELETE', '/console/api/tags/', requireAdmin, deleteTag);
  route('GET', '/console/api/tags/uses/', requireAdmin, readTagUses);
  route('GET', '/console/api/attributes/', requireMember, readAttributes);
  route('POST', '/console/api/attributes/', requireAdmin, createAttribute);
  route('DELETE', '/console/api/attributes/', requireAdmin, deleteAttribute);
  route('GET', '/console/api/attributes/uses/', requireAdmin, readAttributeUses);
}

function addPromocodeRoutes(route: Route, { requireAdmin }: MemberGuards, writeCode: WriteCode): void {
  route('GET', '/console/api/promocode-groups/', requireAdmin, listStockedGroups);
  route('POST', '/console/api/promocode-groups/', requireAdmin, createGroup);
  route('GET', '/console/api/promocode-groups/:uuid/', requireAdmin, readStockedGroup);
  route('PATCH', '/console/api/promocode-groups/:uuid/', requireAdmin, patchGroup);
  route('DELETE', '/console/api/promocode-groups/:uuid/', requireAdmin, deleteGroup);
  route('GET', '/console/api/promocode-groups/:uuid/codes/', requireAdmin, listGroupCodes);
  route('GET', '/console/api/promocode-groups/:uuid/export/', requireAdmin, exportCodes);
  route('POST', '/console/api/promocode-groups/:uuid/generate/', requireAdmin, generateManyCodes);
  route('POST', '/console/api/promocode-groups/:uuid/import/', requireAdmin, importCodes);
  route('POST', '/console/api/promocodes/', requireAdmin, createCode(writeCode));
  route('PATCH', '/console/api/promocodes/:uuid/', requireAdmin, patchCode);
  route('DELETE', '/console/api/promocodes/:uuid/', requireAdmin, deleteCode);
}

function addAudienceRoutes(route: Route, { requireAdmin }: MemberGuards): void {
  route('GET', '/console/api/audiences/', requireAdmin, listSaved);
  route('POST', '/console/api/audiences/', requireAdmin, createAudience);
  route('GET', '/console/api/audiences/:uuid/', requireAdmin, readAudience);
  route('PUT', '/console/api/audiences/:uuid/', requireAdmin, changeAudience);
  route('DELETE', '/console/api/audiences/:uuid/', requireAdmin, removeAudience);
}

function addMailingRoutes(route: Route, { requireAdmin }: MemberGuards, accept: AcceptPush): void {
  route('GET', '/console/api/mailings/', requireAdmin, listSummaries);
  route('POST', '/console/api/mailings/', requireAdmin, startMailing);
  route('GET', '/console/api/mailings/choices/', requireAdmin, readChoices);
  route('GET', '/console/api/mailings/approvals/', requireAdmin, readApprovals);
  route('GET', '/console/api/mailings/calendar/', requireAdmin, readCalendar);
  route('GET', '/console/api/mailings/compare/', requireAdmin, compareMailings);
  route('GET', '/console/api/mailings/schedule/', requireAdmin, readSchedule);
  route('POST', '/console/api/mailings/audience/', requireAdmin, countAudience);
  route('POST', '/console/api/mailings/preview/', requireAdmin, previewMailing);
  route('POST', '/console/api/mailings/dry-run/', requireAdmin, dryRun);
  route('POST', '/console/api/mailings/test/', requireAdmin, sendTest(accept));
  route('GET', '/console/api/mailings/colleagues/', requireAdmin, listColleagues);
  route('PUT', '/console/api/mailings/colleagues/:uuid/', requireAdmin, markColleague);
  route('DELETE', '/console/api/mailings/colleagues/:uuid/', requireAdmin, unmarkColleague);
  route('GET', '/console/api/mailings/:uuid/', requireAdmin, readDetail);
  route('PUT', '/console/api/mailings/:uuid/', requireAdmin, completeMailing);
  route('POST', '/console/api/mailings/:uuid/calculate/', requireAdmin, calculateMailing);
  route('POST', '/console/api/mailings/:uuid/stop/', requireAdmin, stopAMailing);
  route('POST', '/console/api/mailings/:uuid/resend/', requireAdmin, resendMailing);
  route('POST', '/console/api/mailings/:uuid/overrides/', requireAdmin, overrideRules);
  route('POST', '/console/api/mailings/:uuid/approve/', requireAdmin, approve);
  route('GET', '/console/api/mailings/:uuid/ab-test/', requireAdmin, readAbTest);
  route('POST', '/console/api/mailings/:uuid/ab-test/choose/', requireAdmin, chooseForRest);
  route('GET', '/console/api/mailings/:uuid/failures/', requireAdmin, readFailures);
  route('GET', '/console/api/mailings/:uuid/problems/', requireAdmin, listProblems);
  route('GET', '/console/api/mailings/:uuid/recipients/', requireAdmin, listRecipients);
  route('GET', '/console/api/mailings/:uuid/recipients/export/', requireAdmin, exportRecipients);
  route('GET', '/console/api/mailings/:uuid/runs/', requireAdmin, listRuns);
  route('GET', '/console/api/mailings/:uuid/timeline/', requireAdmin, readMailingTimeline);
}

function addConsentRoutes(route: Route, { requireAdmin }: MemberGuards): void {
  route('GET', '/console/api/topics/', requireAdmin, readTopics);
  route('POST', '/console/api/topics/', requireAdmin, createTopic);
  route('PUT', '/console/api/topics/:uuid/', requireAdmin, changeTopic);
  route('DELETE', '/console/api/topics/:uuid/', requireAdmin, removeTopic);
  route('GET', '/console/api/suppressions/', requireAdmin, listSuppressions);
  route('POST', '/console/api/suppressions/', requireAdmin, addSuppression);
  route('POST', '/console/api/suppressions/import/', requireAdmin, importSuppressions);
  route('GET', '/console/api/suppressions/export/', requireAdmin, exportSuppressions);
  route('DELETE', '/console/api/suppressions/:uuid/', requireAdmin, removeSuppression);
}

function addScenarioRoutes(route: Route, { requireAdmin }: MemberGuards, uploads: Places): void {
  route('GET', '/console/api/scenarios/', requireAdmin, listScenarios);
  route('POST', '/console/api/scenarios/', requireAdmin, createScenario);
  route('POST', '/console/api/scenarios/check/', requireAdmin, checkSource);
  route('POST', '/console/api/scenarios/play/', requireAdmin, playSource);
  route('GET', '/console/api/scenarios/:id/', requireAdmin, readScenario);
  route('PUT', '/console/api/scenarios/:id/', requireAdmin, updateScenario);
  route('PUT', '/console/api/scenarios/:id/draft/', requireAdmin, saveDraft);
  route('POST', '/console/api/scenarios/:id/editors/', requireAdmin, noteScenarioEditor);
  route('POST', '/console/api/attachments/', requireAdmin, uploadFile(uploads));
  route('GET', '/console/api/scenarios/:id/numbers/', requireAdmin, readNumbers);
  route('GET', '/console/api/scenarios/:id/walks/', requireAdmin, listWalks);
  route('GET', '/console/api/scenarios/:id/versions/', requireAdmin, listVersions);
  route('GET', '/console/api/scenarios/:id/versions/:version/', requireAdmin, readVersion);
  route('POST', '/console/api/scenarios/:id/tests/', requireAdmin, saveTest);
  route('DELETE', '/console/api/scenarios/:id/tests/:test/', requireAdmin, deleteTest);
  route('GET', '/console/api/scenarios/:id/starters/', requireAdmin, listStarters);
  route('POST', '/console/api/scenarios/:id/starters/', requireAdmin, addStarter);
  route('POST', '/console/api/scenarios/:id/starters/check/', requireAdmin, checkStarter);
  route('PATCH', '/console/api/scenarios/:id/starters/:starter/', requireAdmin, changeStarter);
  route('DELETE', '/console/api/scenarios/:id/starters/:starter/', requireAdmin, deleteStarter);
  route('GET', '/console/api/templates/', requireAdmin, listTemplates);
  route('POST', '/console/api/templates/', requireAdmin, createTemplate);
  route('POST', '/console/api/templates/submit/', requireAdmin, submitATemplate);
  route('POST', '/console/api/templates/preview/', requireAdmin, previewTemplate);
  route('PUT', '/console/api/templates/:pid/', requireAdmin, updateTemplate);
  route('DELETE', '/console/api/templates/:pid/', requireAdmin, removeTemplate);
}

function addChannelRoutes(route: Route, { requireAdmin }: MemberGuards): void {
  route('GET', '/console/api/messengers/', requireAdmin, listMessengers);
  route('POST', '/console/api/messengers/check/', requireAdmin, checkSettings);
  route('GET', '/console/api/channels/', requireAdmin, listChannels);
  route('POST', '/console/api/channels/', requireAdmin, createChannel);
  route('GET', '/console/api/channels/:uuid/', requireAdmin, readChannel);
  route('PATCH', '/console/api/channels/:uuid/', requireAdmin, patchChannel);
  route('DELETE', '/console/api/channels/:uuid/', requireAdmin, removeChannel);
  route('POST', '/console/api/channels/:uuid/pause/', requireAdmin, pauseAChannel);
  route('POST', '/console/api/channels/:uuid/resume/', requireAdmin, resumeAChannel);
  route('POST', '/console/api/channels/:uuid/check/', requireAdmin, checkAChannel);
  route('GET', '/console/api/channels/:uuid/account/', requireAdmin, readAccountOf);
  route('GET', '/console/api/channels/:uuid/first-message/', requireAdmin, readFirstMessage);
  route('POST', '/console/api/channels/:uuid/open-chat/', requireAdmin, openAChat);
  route('GET', '/console/api/channels/:uuid/deliveries/', requireAdmin, readDeliveries);
  route('GET', '/console/api/channels/:uuid/failures/', requireAdmin, listFailures);
  route('POST', '/console/api/widgets/:uuid/identity-secret/', requireAdmin, rotateIdentitySecret);
}

function addWebhookRoutes(route: Route, { requireAdmin }: MemberGuards): void {
  route('GET', '/console/api/webhooks/', requireAdmin, listWebhooks);
  route('PUT', '/console/api/webhooks/project/', requireAdmin, putProjectWebhook);
  route('POST', '/console/api/webhooks/:uuid/enable/', requireAdmin, enableWebhook);
  route('POST', '/console/api/webhooks/:uuid/disable/', requireAdmin, disableWebhook);
  route('DELETE', '/console/api/webhooks/:uuid/', requireAdmin, removeWebhook);
  route('POST', '/console/api/webhooks/:uuid/test/', requireAdmin, testWebhook);
  route('POST', '/console/api/webhooks/:uuid/rotate-secret/', requireAdmin, rotateWebhookSecret);
  route('GET', '/console/api/webhooks/:uuid/replay/', requireAdmin, countRange);
  route('POST', '/console/api/webhooks/:uuid/replay/', requireAdmin, replayRange);
  route('GET', '/console/api/webhooks/:uuid/events/', requireAdmin, listEvents);
  route('GET', '/console/api/webhooks/:uuid/events/:event/', requireAdmin, readEvent);
  route('POST', '/console/api/webhooks/:uuid/events/:event/replay/', requireAdmin, replayAnEvent);
}
