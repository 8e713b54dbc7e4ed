import { WidgetLook } from '../../channels/messengers/widget/settings.ts';
import { actionFor } from '../../platform/http/action.ts';
import { loadForLook } from './load.ts';
import { WidgetParams } from './schema.ts';
import type { Page } from './visitor.ts';

/** GET `/widget/{channel}/look/`: the look of the widget, so that a page stays unchanged when the look changes. */
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
