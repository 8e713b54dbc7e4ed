import Type from 'typebox';
import { personIn } from '../../access/auth/person.ts';
import { signInAddress } from '../../access/auth/way-back.ts';
import { openAction } from '../../platform/http/action.ts';
import { sendApp } from '../../platform/http/app.ts';
import { seeOther } from '../../platform/http/card.ts';
import { Uuid } from '../../platform/http/fields.ts';
import { basePath } from '../../platform/http/page.ts';

/** GET /: people type the bare address, and mean the console. */
export const toConsole = openAction({
  handle: async ({ context, reply }) => reply.redirect(`${basePath(context.config.publicUrl)}/console/`, 302),
});

/**
 * GET /console/ and every address below it: the console does its own routing. People who are not signed in are
 * redirected.
 */
export const consolePage = openAction({
  params: Type.Object({ project: Type.Optional(Uuid) }),
  handle: async ({ context, request, reply }) => {
    const { publicUrl } = context.config;
    const person = await personIn(context, request.headers);
    if (!person) return seeOther(reply, signInAddress(basePath(publicUrl), request.url));
    return sendApp(reply, 'console', { publicUrl });
  },
});
