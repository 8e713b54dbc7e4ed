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
const step = (sentence, line) =>
  element(
    'li',
    {},
    element('p', {}, sentence),
    element('div', { class: 'line' }, element('code', {}, line), copyButton(words.copy, 'copy', line)),
  );

/** The command that adds a channel of this messenger. @param {Provider} provider */
export function addingView({ platform, settings }) {
  const given = Object.entries(settings).map(([name, value]) => ` --set '${name}=${value}'`);
  const line = `npm run -s patchbay -- channel add ${platform} --project <uuid> --name ${platform}${given.join('')}`;
  return copyButton(words.addChannel, 'adding', line);
}

/** @param {string} label @param {string} kind @param {string} line */
function copyButton(label, kind, line) {
  const copy = button(label, kind, async () => {
    await navigator.clipboard.writeText(line);
    copy.textContent = words.copied;
  });
  return copy;
}
