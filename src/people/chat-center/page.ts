import Type from 'typebox';
import { personIn } from '../../access/auth/person.ts';
import { signInAddress } from '../../access/auth/way-back.ts';
import { openAction } from '../../platform/http/action.ts';
import { sendApp } from '../../platform/http/app.ts';
import { seeOther } from '../../platform/http/card.ts';
import { basePath } from '../../platform/http/page.ts';

/** GET /chat-center/: for people who sign in. The page itself reads the project from `?project=`. */
export const chatCenterPage = openAction({
  params: Type.Object({}),
  handle: async ({ context, request, reply }) => {
    const { publicUrl } = context.config;
    const person = await personIn(context, request.headers);
    if (!person) return seeOther(reply, signInAddress(basePath(publicUrl), request.url));
    return sendApp(reply, 'chat-center', { publicUrl });
  },
});
