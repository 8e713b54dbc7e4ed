import Type from 'typebox';
import { personIn } from '../auth/person.ts';
import { signInAddress } from '../auth/way-back.ts';
import { openAction } from '../http/action.ts';
import { sendApp } from '../http/app.ts';
import { seeOther } from '../http/card.ts';
import { Uuid } from '../http/fields.ts';
import { basePath } from '../http/page.ts';

/** GET /console/ and every address below it: the console finds its way by itself. Whoever is not signed in is led to do so. */
export const consolePage = openAction({
  params: Type.Object({ project: Type.Optional(Uuid) }),
  handle: async ({ context, request, reply }) => {
    const { publicUrl } = context.config;
    const person = await personIn(context, request.headers);
    if (!person) return seeOther(reply, signInAddress(basePath(publicUrl), request.url));
    return sendApp(reply, 'console', { publicUrl });
  },
});
