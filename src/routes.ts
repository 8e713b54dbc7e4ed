import type { FastifyInstance } from 'fastify';
import { createGuards } from './auth/guards.ts';
import { connector } from './connector/connector.ts';
import type { Context } from './context.ts';
import { demoPage, demoScript, demoStyle, lastAnswer, siteStyle } from './demo/page.ts';
import { anyone } from './http/guard.ts';
import { router } from './http/router.ts';
import { receiveFromProvider } from './inbound/receive-from-provider.ts';
import { deleteCredentials } from './integrations/delete-credentials.ts';
import { putCredentials } from './integrations/put-credentials.ts';
import { token } from './oauth/token.ts';
import { showSignIn, signIn } from './operators/sign-in.ts';
import { pushAcceptance } from './push-messages/accept.ts';
import { cancelPushMessage } from './push-messages/cancel.ts';
import { createPushMessage } from './push-messages/create.ts';
import { listPushMessages } from './push-messages/list.ts';
import { readPushMessage } from './push-messages/read.ts';
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
  const visitor = visitorGuard(context);
  const accept = pushAcceptance(context);
  const feed = startLiveFeed(context);
  // Live connections would keep the closing server waiting.
  server.addHook('preClose', async () => feed.stop());

  // Partners.
  route('POST', '/api/partners/oauth/', anyone, token);
  route('POST', '/api/partners/connector/', requireOAuth, connector);
  route('PUT', '/api/partners/integrations/credentials/', requireOAuth, putCredentials);
  route('DELETE', '/api/partners/integrations/credentials/', requireOAuth, deleteCredentials);
  route('GET', '/api/partners/push-messages/', requireKeyOrOAuth, listPushMessages);
  route('POST', '/api/partners/push-messages/', requireKeyOrOAuth, createPushMessage(accept));
  route('GET', '/api/partners/push-messages/:uuid/', requireKeyOrOAuth, readPushMessage);
  route('POST', '/api/partners/push-messages/:uuid/cancel/', requireKeyOrOAuth, cancelPushMessage);

  // The channels' providers.
  route('POST', '/channels/:uuid/', anyone, receiveFromProvider);
  route('POST', '/channels/:uuid/:path/', anyone, receiveFromProvider);

  // The Widget and its visitors.
  route('GET', '/widget.js', anyone, widgetLoader);
  route('GET', '/widget-files/:version/:file', anyone, widgetModule);
  route('POST', '/widget/:channel/sessions/', anyPage, openSession);
  route('GET', '/widget/:channel/messages/', visitor, listMessages);
  route('POST', '/widget/:channel/messages/', visitor, sendMessage(floodGate(context.clock)));
  route('POST', '/widget/:channel/receipts/', visitor, confirmMessages);
  route('GET', '/widget/:channel/live/', visitor, live(feed));

  // Pages.
  route('GET', '/site.css', anyone, siteStyle);
  route('GET', '/sign-in/:token/', anyone, showSignIn);
  route('POST', '/sign-in/:token/', anyone, signIn);
  route('GET', '/demo/', anyone, demoPage);
  route('GET', '/demo/demo.js', anyone, demoScript);
  route('GET', '/demo/demo.css', anyone, demoStyle);
  route('GET', '/demo/last-answer/', anyone, lastAnswer);
}
