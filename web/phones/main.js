/** @import { Phone, Provider } from './types.ts' */
import { follow } from './api.js';
import { crowdView } from './crowd.js';
import { button, element } from './dom.js';
import { phoneView, spoken } from './phone.js';
import { setUpView } from './set-up.js';
import { language, words } from './texts.js';

document.documentElement.lang = language;
document.title = `Patchbay: ${words.title}`;

/** @type {Map<string, Provider>} */
const providers = new Map();
/** @type {Map<string, ReturnType<typeof phoneView> & { part: string }>} */
const phones = new Map();
/** The only shown messenger. Null shows all. @type {string | null} */
let chosen = null;

const crowd = crowdView();
const setUp = setUpView();
const live = element('p', { class: 'live', role: 'status' });
const tabs = element('nav', { class: 'tabs', 'aria-label': words.messenger });
const shelf = element('div', { class: 'shelf' });
const all = button(words.all, 'tab', () => choose(null));
/** @type {Map<string, HTMLButtonElement>} */
const choices = new Map();
tabs.append(all);

document.body.append(
  element(
    'header',
    { class: 'top' },
    element('div', { class: 'title' }, element('h1', {}, words.title), element('p', {}, words.about)),
    live,
  ),
  tabs,
  element('main', {}, setUp.view, crowd.view, shelf),
  element('footer', {}, words.notHere),
);
choose(null);

/** @param {string | null} part */
function choose(part) {
  chosen = part;
  all.setAttribute('aria-pressed', String(part === null));
  for (const [name, tab] of choices) tab.setAttribute('aria-pressed', String(name === part));
  for (const phone of phones.values()) {
    phone.view.hidden = chosen !== null && phone.part !== chosen;
    phone.scroll();
  }
}

/** @param {Provider} provider */
function learn(provider) {
  const { part, platform } = provider;
  providers.set(part, provider);
  let tab = choices.get(part);
  if (!tab) {
    tab = button(spoken(platform), 'tab', () => choose(chosen === part ? null : part));
    tab.dataset.part = part;
    tab.setAttribute('aria-pressed', 'false');
    choices.set(part, tab);
    tabs.append(tab);
  }
  tab.classList.toggle('on', provider.addresses.length > 0);
  tab.classList.toggle('moody', provider.mood !== 'normal');
  crowd.follow(provider);
  setUp.follow(providers.values());
  for (const phone of phones.values()) if (phone.part === part) phone.follow(provider);
}

/** Phones of one messenger stand together. @param {Phone} phone */
function show(phone) {
  const provider = providers.get(phone.part);
  if (!provider) return;
  const known = phones.get(phone.id);
  if (known) return known.change(phone);
  const made = { ...phoneView(phone, provider), part: phone.part };
  const neighbour = [...phones.values()].findLast(({ part }) => part === phone.part);
  phones.set(phone.id, made);
  if (neighbour) neighbour.view.after(made.view);
  else shelf.append(made.view);
  made.view.hidden = chosen !== null && phone.part !== chosen;
  made.change(phone);
  made.follow(provider);
  made.scroll();
}

follow({
  all(state) {
    for (const { view } of phones.values()) view.remove();
    phones.clear();
    for (const provider of state.providers) learn(provider);
    for (const phone of state.phones) show(phone);
    choose(chosen);
  },
  phone: show,
  bubble: ({ phone, bubble }) => phones.get(phone)?.show(bubble),
  provider: learn,
  isLive(isLive) {
    live.textContent = isLive ? words.live : words.lost;
    live.classList.toggle('on', isLive);
  },
});

/** A menu closes by a click elsewhere. */
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (target instanceof Node && !menu.contains(target)) menu.removeAttribute('open');
  }
});
