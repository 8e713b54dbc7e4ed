import { decideGrant, showGrant } from '../access/oauth/grant.ts';
import { choosePassword, showPasswordForm } from '../access/operators/choose-password.ts';
import { mailPasswordLink, showForgottenPassword } from '../access/operators/forgotten-password.ts';
import { showSignIn, signIn } from '../access/operators/sign-in.ts';
import { signOut } from '../access/operators/sign-out.ts';
import { followSignInLink, showSignInLink } from '../access/operators/use-sign-in-link.ts';
import { demoPage, demoScript, demoStyle, lastAnswer, siteStyle } from '../demo/page.ts';
import { followLink } from '../mailings/follow-link.ts';
import { changeSubscription, showSubscription } from '../mailings/unsubscribe.ts';
import { serveFile } from '../messaging/attachments/serve.ts';
import type { Receiving } from '../messaging/chats/receiving.ts';
import { awaitTogether } from '../messaging/inbound/bring-file.ts';
import { createGuesses } from '../messaging/inbound/guesses.ts';
import { receiveFromProvider } from '../messaging/inbound/receive-from-provider.ts';
import { confirmMessages } from '../people/widget/confirm-messages.ts';
import type { LiveFeed } from '../people/widget/feed.ts';
import { listMessages } from '../people/widget/list-messages.ts';
import { live } from '../people/widget/live.ts';
import { openSession } from '../people/widget/open-session.ts';
import { readLook } from '../people/widget/read-look.ts';
import { widgetLoader, widgetModule } from '../people/widget/script.ts';
import { sendMessage } from '../people/widget/send-message.ts';
import { upload } from '../people/widget/upload.ts';
import { anyPage, visitorGuard } from '../people/widget/visitor.ts';
import type { Context } from '../platform/context.ts';
import { appFile } from '../platform/http/app.ts';
import { anyone } from '../platform/http/guard.ts';
import type { Route } from '../platform/http/router.ts';
import { createPlaces, type Places } from '../platform/places.ts';

/** Public routes: for providers, recipients, visitors and people who sign in. */
export function addPublicRoutes(
  route: Route,
  context: Context,
  { feed, uploads, receiving }: { feed: LiveFeed; uploads: Places; receiving: Receiving },
): void {
  const visitor = visitorGuard(context);

  // The channels' providers.
  const receive = receiveFromProvider(createGuesses(), receiving);
  for (const method of ['GET', 'POST'] as const) {
    route(method, '/channels/:uuid/', anyone, receive);
    route(method, '/channels/:uuid/:first/', anyone, receive);
    route(method, '/channels/:uuid/:first/:second/', anyone, receive);
  }

  // Uploaded files.
  route('GET', '/files/:token/:name', anyone, serveFile(awaitTogether()));

  // The recipients of mailings.
  route('GET', '/l/:token/', anyone, followLink(context));
  route('GET', '/u/:token/', anyone, showSubscription(context));
  route('POST', '/u/:token/', anyone, changeSubscription(context));

  // The Widget and its visitors.
  route('GET', '/widget.js', anyone, widgetLoader);
  route('GET', '/widget-files/:version/:file', anyone, widgetModule);
  route('POST', '/widget/:channel/sessions/', anyPage, openSession);
  route('GET', '/widget/:channel/look/', anyPage, readLook);
  route('GET', '/widget/:channel/messages/', visitor, listMessages);
  route('POST', '/widget/:channel/messages/', visitor, sendMessage);
  route('POST', '/widget/:channel/attachments/', visitor, upload(uploads));
  route('POST', '/widget/:channel/receipts/', visitor, confirmMessages);
  route('GET', '/widget/:channel/live/', visitor, live(feed, createPlaces()));

  // Pages.
  route('GET', '/app/files/:file', anyone, appFile());
  route('GET', '/site.css', anyone, siteStyle);
  route('GET', '/sign-in/', anyone, showSignIn);
  route('POST', '/sign-in/', anyone, signIn);
  route('GET', '/sign-in/:token/', anyone, showSignInLink);
  route('POST', '/sign-in/:token/', anyone, followSignInLink);
  route('GET', '/password/:token/', anyone, showPasswordForm);
  route('POST', '/password/:token/', anyone, choosePassword);
  route('GET', '/forgotten-password/', anyone, showForgottenPassword);
  route('POST', '/forgotten-password/', anyone, mailPasswordLink);
  route('POST', '/sign-out/', anyone, signOut);
  route('GET', '/integrations/oauth/', anyone, showGrant);
  route('POST', '/integrations/oauth/', anyone, decideGrant);
  route('GET', '/demo/', anyone, demoPage);
  route('GET', '/demo/demo.js', anyone, demoScript);
  route('GET', '/demo/demo.css', anyone, demoStyle);
  route('GET', '/demo/last-answer/', anyone, lastAnswer);
}
