import { WidgetLook } from '../../channels/messengers/widget/settings.ts';
import { actionFor } from '../../platform/http/action.ts';
import { loadForLook } from './load.ts';
import { WidgetParams } from './schema.ts';
import type { Page } from './visitor.ts';

/** GET `/widget/{channel}/look/`: how the widget is drawn, so that a page needs no change when that changes. */
export const readLook = actionFor<Page>()({
  params: WidgetParams,
  response: WidgetLook,
  load: loadForLook,
  handle: async ({ loaded: { settings }, reply }) => {
    reply.headers({ 'cache-control': 'private, max-age=60', vary: 'origin' });
    const { title, greeting, accent, position, theme, language } = settings;
    return { title, greeting, accent, position, theme, language };
  },
});
