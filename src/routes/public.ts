import { serveFile } from '../attachments/serve.ts';
import type { Context } from '../context.ts';
import { demoPage, demoScript, demoStyle, lastAnswer, siteStyle } from '../demo/page.ts';
import { appFile } from '../http/app.ts';
import { anyone } from '../http/guard.ts';
import type { Route } from '../http/router.ts';
import { createGuesses } from '../inbound/guesses.ts';
import { receiveFromProvider } from '../inbound/receive-from-provider.ts';
import { createPlaces, type Places } from '../limits/places.ts';
import { followLink } from '../mailings/follow-link.ts';
import { decideGrant, showGrant } from '../oauth/grant.ts';
import { choosePassword, showPasswordForm } from '../operators/choose-password.ts';
import { mailPasswordLink, showForgottenPassword } from '../operators/forgotten-password.ts';
import { showSignIn, signIn } from '../operators/sign-in.ts';
import { signOut } from '../operators/sign-out.ts';
import { followSignInLink, showSignInLink } from '../operators/use-sign-in-link.ts';
import { confirmMessages } from '../widget/confirm-messages.ts';
import type { LiveFeed } from '../widget/feed.ts';
import { listMessages } from '../widget/list-messages.ts';
import { live } from '../widget/live.ts';
import { openSession } from '../widget/open-session.ts';
import { readLook } from '../widget/read-look.ts';
import { widgetLoader, widgetModule } from '../widget/script.ts';
import { sendMessage } from '../widget/send-message.ts';
import { upload } from '../widget/upload.ts';
import { anyPage, visitorGuard } from '../widget/visitor.ts';

/** What is there for everybody: providers, recipients, visitors, and whoever wants to sign in. */
export function addPublicRoutes(route: Route, context: Context, feed: LiveFeed, uploads: Places): void {
  const visitor = visitorGuard(context);

  // The channels' providers.
  const receive = receiveFromProvider(createGuesses());
  route('POST', '/channels/:uuid/', anyone, receive);
  route('POST', '/channels/:uuid/:path/', anyone, receive);

  // Uploaded files.
  route('GET', '/files/:token/:name', anyone, serveFile);

  // The recipients of mailings.
  route('GET', '/l/:token/', anyone, followLink(context));

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
