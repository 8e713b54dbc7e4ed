/** @import { Provider } from './types.ts' */
import { button, element } from './dom.js';
import { words } from './texts.js';

const port = Number(location.port || 80);
const portOption = port === 3100 ? '' : ` --port ${port}`;
const addAll = `npm run -s patchbay -- simulator add --project <uuid>${portOption}`;

/** How a person connects Patchbay, for as long as no channel is connected. */
export function setUpView() {
  const places = [port, port + 1, port + 2, port + 3].map((place) => `127.0.0.1:${place}`).join(',');
  const view = element(
    'section',
    { class: 'set-up', hidden: true },
    element('h2', {}, words.setUp),
    element('p', {}, words.setUpLead),
    element(
      'ol',
      {},
      step(words.setUpAllow, `PATCHBAY_ALLOW_OUTBOUND=${places}`),
      step(words.setUpAdd, addAll),
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

/**
 * The command that adds a channel of this messenger. Where a channel needs a login, only the other command brings it.
 * @param {Provider} provider
 */
export function addingView({ platform, settings, learnt }) {
  if (Object.keys(learnt).length > 0) return copyButton(words.addChannel, 'adding', addAll);
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
