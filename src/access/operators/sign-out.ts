import Type from 'typebox';
import { openAction } from '../../platform/http/action.ts';
import { seeOther } from '../../platform/http/card.ts';
import { basePath } from '../../platform/http/page.ts';
import { sha256 } from '../../platform/secrets/secret.ts';
import { isOwnForm } from '../auth/form.ts';
import { sendLapsedForm } from '../auth/lapsed-form.ts';
import { noSessionCookie, sessionToken } from '../auth/session.ts';
import { endAllSessions, endSession } from '../auth/session-store.ts';
import { signInAddress, wayBack } from '../auth/way-back.ts';

const optionalText = Type.Optional(Type.String());

/**
 * POST /sign-out/: signs out here, or with `everywhere` in all browsers. `next` is the page to go on to as another
 * person.
 */
export const signOut = openAction({
  body: Type.Object({ token: optionalText, everywhere: optionalText, next: optionalText }),
  form: true,
  handle: async ({ context: { sql, config }, body, request, reply }) => {
    const base = basePath(config.publicUrl);
    const session = sessionToken(request.headers);
    if (session === null || !isOwnForm(request, config, body.token ?? '')) {
      return sendLapsedForm(reply, config, `${base}/sign-in/`);
    }
    const end = body.everywhere ? endAllSessions : endSession;
    await end(sql, sha256(session));
    const next = wayBack(body.next ?? '');
    reply.header('set-cookie', noSessionCookie);
    return seeOther(reply, next === null ? `${base}/sign-in/` : signInAddress(base, next));
  },
});
