import type { FastifyInstance } from 'fastify';
import { createGuards } from './auth/guards.ts';
import { createMemberGuards } from './auth/member.ts';
import { requirePerson } from './auth/person.ts';
import { connector } from './connector/connector.ts';
import { readAccount } from './console/account/read-account.ts';
import { consolePage } from './console/page.ts';
import type { Context } from './context.ts';
import { demoPage, demoScript, demoStyle, lastAnswer, siteStyle } from './demo/page.ts';
import { appFile } from './http/app.ts';
import { anyone } from './http/guard.ts';
import { router } from './http/router.ts';
import { createIframeLink } from './iframe/create-link.ts';
import { openIframeLink, showChatCenter } from './iframe/enter.ts';
import { receiveFromProvider } from './inbound/receive-from-provider.ts';
import { deleteCredentials } from './integrations/delete-credentials.ts';
import { putCredentials } from './integrations/put-credentials.ts';
import { calculateMailing } from './mailings/calculate.ts';
import { createMailing } from './mailings/create.ts';
import { followLink } from './mailings/follow-link.ts';
import { listMailings } from './mailings/list.ts';
import { readMailing } from './mailings/read.ts';
import { stopAMailing } from './mailings/stop.ts';
import { decideGrant, showGrant } from './oauth/grant.ts';
import { token } from './oauth/token.ts';
import { apiDescription, apiPage, apiPageStyle } from './openapi/serve.ts';
import { choosePassword, showPasswordForm } from './operators/choose-password.ts';
import { showSignIn, signIn } from './operators/sign-in.ts';
import { signOut } from './operators/sign-out.ts';
import { followSignInLink, showSignInLink } from './operators/use-sign-in-link.ts';
import { listProfiles } from './profiles/list.ts';
import { listProfileAudit } from './profiles/list-audit.ts';
import {
  readProfile,
  readProfileByExternalId,
  readProfileByPhone,
  readProfileOfChat,
} from './profiles/read.ts';
import { readProfileAudit } from './profiles/read-audit.ts';
import { updateProfile, updateProfileByExternalId, updateProfileByPhone } from './profiles/update.ts';
import { createCode } from './promocodes/create-code.ts';
import { createGroup } from './promocodes/create-group.ts';
import { deleteCode } from './promocodes/delete-code.ts';
import { deleteGroup } from './promocodes/delete-group.ts';
import { generateCode } from './promocodes/generate-code.ts';
import { listCodes } from './promocodes/list-codes.ts';
import { listGroups } from './promocodes/list-groups.ts';
import { patchCode } from './promocodes/patch-code.ts';
import { patchGroup } from './promocodes/patch-group.ts';
import { readCode } from './promocodes/read-code.ts';
import { readGroup } from './promocodes/read-group.ts';
import { codeWriter } from './promocodes/write.ts';
import { pushAcceptance } from './push-messages/accept.ts';
import { cancelPushMessage } from './push-messages/cancel.ts';
import { createPushMessage } from './push-messages/create.ts';
import { listPushMessages } from './push-messages/list.ts';
import { readPushMessage } from './push-messages/read.ts';
import { createTask } from './stream/create.ts';
import { streamPace } from './stream/pace.ts';
import { confirmMessages } from './widget/confirm-messages.ts';
import { startLiveFeed } from './widget/feed.ts';
import { floodGate } from './widget/flood.ts';
import { listMessages } from './widget/list-messages.ts';
import { live } from './widget/live.ts';
import { openSession } from './widget/open-session.ts';
import { widgetLoader, widgetModule } from './widget/script.ts';
import { sendMessage } from './widget/send-message.ts';
import { anyPage, visitorGuard } from './widget/visitor.ts';

/** Every address there is. The slash at a path's end may be left out. */
export function addRoutes(server: FastifyInstance, context: Context): void {
  const route = router(server, context);
  const { requireOAuth, requireKeyOrOAuth } = createGuards(context);
  const { requireMember, requireAdmin } = createMemberGuards(context);
  const visitor = visitorGuard(context);
  const accept = pushAcceptance(context);
  const writeCode = codeWriter(context);
  const feed = startLiveFeed(context);
  // Live connections would keep the closing server waiting.
  server.addHook('preClose', async () => feed.stop());

  // Partners.
  route('POST', '/api/partners/oauth/', anyone, token);
  route('POST', '/api/partners/connector/', requireOAuth, connector);
  route('POST', '/api/partners/iframe/', requireOAuth, createIframeLink);
  route('POST', '/api/partners/stream/', requireOAuth, createTask(accept, streamPace(context)));
  route('PUT', '/api/partners/integrations/credentials/', requireOAuth, putCredentials);
  route('DELETE', '/api/partners/integrations/credentials/', requireOAuth, deleteCredentials);
  route('GET', '/api/partners/push-messages/', requireKeyOrOAuth, listPushMessages);
  route('POST', '/api/partners/push-messages/', requireKeyOrOAuth, createPushMessage(accept));
  route('GET', '/api/partners/push-messages/:uuid/', requireKeyOrOAuth, readPushMessage);
  route('POST', '/api/partners/push-messages/:uuid/cancel/', requireKeyOrOAuth, cancelPushMessage);

  route('GET', '/api/partners/mailings/', requireKeyOrOAuth, listMailings);
  route('POST', '/api/partners/mailings/', requireKeyOrOAuth, createMailing);
  route('GET', '/api/partners/mailings/:uuid/', requireKeyOrOAuth, readMailing);
  route('POST', '/api/partners/mailings/:uuid/calculate/', requireKeyOrOAuth, calculateMailing);
  route('POST', '/api/partners/mailings/:uuid/stop/', requireKeyOrOAuth, stopAMailing);

  route('GET', '/api/partners/promocode-groups/', requireKeyOrOAuth, listGroups);
  route('POST', '/api/partners/promocode-groups/', requireKeyOrOAuth, createGroup);
  route('GET', '/api/partners/promocode-groups/:uuid/', requireKeyOrOAuth, readGroup);
  route('PATCH', '/api/partners/promocode-groups/:uuid/', requireKeyOrOAuth, patchGroup);
  route('DELETE', '/api/partners/promocode-groups/:uuid/', requireKeyOrOAuth, deleteGroup);
  route('GET', '/api/partners/promocodes/', requireKeyOrOAuth, listCodes);
  route('POST', '/api/partners/promocodes/', requireKeyOrOAuth, createCode(writeCode));
  route('POST', '/api/partners/promocodes/generate/', requireKeyOrOAuth, generateCode(writeCode));
  route('GET', '/api/partners/promocodes/:uuid/', requireKeyOrOAuth, readCode);
  route('PATCH', '/api/partners/promocodes/:uuid/', requireKeyOrOAuth, patchCode);
  route('DELETE', '/api/partners/promocodes/:uuid/', requireKeyOrOAuth, deleteCode);

  route('GET', '/api/partners/profiles/', requireKeyOrOAuth, listProfiles);
  route('GET', '/api/partners/profiles/audit/', requireKeyOrOAuth, listProfileAudit);
  route('GET', '/api/partners/profiles/audit/:uuid/', requireKeyOrOAuth, readProfileAudit);
  route('GET', '/api/partners/profiles/chat/:uuid/', requireKeyOrOAuth, readProfileOfChat);
  route('GET', '/api/partners/profiles/external/:id/', requireKeyOrOAuth, readProfileByExternalId);
  route('PUT', '/api/partners/profiles/external/:id/', requireKeyOrOAuth, updateProfileByExternalId);
  route('GET', '/api/partners/profiles/phone/:number/', requireKeyOrOAuth, readProfileByPhone);
  route('PUT', '/api/partners/profiles/phone/:number/', requireKeyOrOAuth, updateProfileByPhone);
  route('GET', '/api/partners/profiles/:uuid/', requireKeyOrOAuth, readProfile);
  route('PUT', '/api/partners/profiles/:uuid/', requireKeyOrOAuth, updateProfile);

  route('GET', '/api/partners/openapi.json', anyone, apiDescription(route.known));
  route('GET', '/api/partners/docs/', anyone, apiPage(route.known));
  route('GET', '/api/partners/docs/docs.css', anyone, apiPageStyle);

  // The channels' providers.
  route('POST', '/channels/:uuid/', anyone, receiveFromProvider);
  route('POST', '/channels/:uuid/:path/', anyone, receiveFromProvider);

  // The recipients of mailings.
  route('GET', '/l/:token/', anyone, followLink(context));

  // The Widget and its visitors.
  route('GET', '/widget.js', anyone, widgetLoader);
  route('GET', '/widget-files/:version/:file', anyone, widgetModule);
  route('POST', '/widget/:channel/sessions/', anyPage, openSession);
  route('GET', '/widget/:channel/messages/', visitor, listMessages);
  route('POST', '/widget/:channel/messages/', visitor, sendMessage(floodGate(context.clock)));
  route('POST', '/widget/:channel/receipts/', visitor, confirmMessages);
  route('GET', '/widget/:channel/live/', visitor, live(feed));

  // The console: partners' actions in a person's name, and its own.
  route('GET', '/console/', anyone, consolePage);
  route('GET', '/console/:project/', anyone, consolePage);
  route('GET', '/console/:project/*', anyone, consolePage);
  route('GET', '/console/api/account/', requirePerson(context), readAccount);
  route('GET', '/console/api/profiles/', requireMember, listProfiles);
  route('GET', '/console/api/mailings/', requireAdmin, listMailings);

  // Pages.
  route('GET', '/app/files/:file', anyone, appFile());
  route('GET', '/site.css', anyone, siteStyle);
  route('GET', '/sign-in/', anyone, showSignIn);
  route('POST', '/sign-in/', anyone, signIn);
  route('GET', '/sign-in/:token/', anyone, showSignInLink);
  route('POST', '/sign-in/:token/', anyone, followSignInLink);
  route('GET', '/password/:token/', anyone, showPasswordForm);
  route('POST', '/password/:token/', anyone, choosePassword);
  route('POST', '/sign-out/', anyone, signOut);
  route('GET', '/integrations/oauth/', anyone, showGrant);
  route('POST', '/integrations/oauth/', anyone, decideGrant);
  route('GET', '/chat-center/enter/:token/', anyone, openIframeLink);
  route('GET', '/chat-center/:session/', anyone, showChatCenter);
  route('GET', '/demo/', anyone, demoPage);
  route('GET', '/demo/demo.js', anyone, demoScript);
  route('GET', '/demo/demo.css', anyone, demoStyle);
  route('GET', '/demo/last-answer/', anyone, lastAnswer);
}
