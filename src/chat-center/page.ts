import Type from 'typebox';
import { personIn } from '../auth/person.ts';
import { signInAddress } from '../auth/way-back.ts';
import { openAction } from '../http/action.ts';
import { sendApp } from '../http/app.ts';
import { seeOther } from '../http/card.ts';
import { basePath } from '../http/page.ts';

/** GET /chat-center/: for people who sign in. The page itself finds the project of its `?project=`. */
export const chatCenterPage = openAction({
  params: Type.Object({}),
  handle: async ({ context, request, reply }) => {
    const { publicUrl } = context.config;
    const person = await personIn(context, request.headers);
    if (!person) return seeOther(reply, signInAddress(basePath(publicUrl), request.url));
    return sendApp(reply, 'chat-center', { publicUrl });
  },
});
