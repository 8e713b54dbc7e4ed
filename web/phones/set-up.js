/** @import { Provider } from './types.ts' */
import { button, element } from './dom.js';
import { words } from './texts.js';

/** How a person connects Patchbay, for as long as no channel is connected. */
export function setUpView() {
  const port = Number(location.port || 80);
  const places = [port, port + 1, port + 2].map((place) => `127.0.0.1:${place}`).join(',');
  const portOption = port === 3100 ? '' : ` --port ${port}`;
  const view = element(
    'section',
    { class: 'set-up', hidden: true },
    element('h2', {}, words.setUp),
    element('p', {}, words.setUpLead),
    element(
      'ol',
      {},
      step(words.setUpAllow, `PATCHBAY_ALLOW_OUTBOUND=${places}`),
      step(words.setUpAdd, `npm run -s patchbay -- simulator add --project <uuid>${portOption}`),
    ),
  );
  return {
    view,
    /** @param {Iterable<Provider>} providers */
    follow(providers) {
      view.hidden = [...providers].some(({ addresses }) => addresses.length > 0);
    },
  };
}

/** @param {string} sentence @param {string} line */
function step(sentence, line) {
  const copy = button(words.copy, 'copy', async () => {
    await navigator.clipboard.writeText(line);
    copy.textContent = words.copied;
  });
  return element(
    'li',
    {},
    element('p', {}, sentence),
    element('div', { class: 'line' }, element('code', {}, line), copy),
  );
}
