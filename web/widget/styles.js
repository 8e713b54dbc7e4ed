const light = `
  --surface: #fff; --ground: #f7f7f5; --ink: #1a1d21; --soft: #666b73; --line: rgb(20 24 30 / 9%);
  --theirs: #fff; --danger: #b3261e; --field: #f3f3f1; --link: color-mix(in oklab, var(--accent) 75%, #000);
  --shadow: 0 1px 2px rgb(15 20 25 / 8%), 0 16px 48px rgb(15 20 25 / 18%);`;

const dark = `
  --surface: #1b1e23; --ground: #15171b; --ink: #eef0f2; --soft: #9aa1ab; --line: rgb(255 255 255 / 9%);
  --theirs: #262a31; --danger: #ffb4ab; --field: #262a31; --link: color-mix(in oklab, var(--accent) 45%, #fff);
  --shadow: 0 1px 2px rgb(0 0 0 / 40%), 0 16px 48px rgb(0 0 0 / 55%);`;

const rules = `
:host {
  all: initial; position: fixed; inset: auto 0 0 auto; z-index: 2147483000; color-scheme: light;
  --accent: #0b7a6b; --on-accent: #fff; ${light}
  font: 15px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; color: var(--ink);
}
:host([data-theme="dark"]) { color-scheme: dark; ${dark} }
@media (prefers-color-scheme: dark) { :host([data-theme="auto"]) { color-scheme: dark; ${dark} } }

*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
button, textarea { font: inherit; color: inherit; border: 0; background: none; margin: 0; padding: 0; }
button { cursor: pointer; -webkit-tap-highlight-color: transparent; }
h2, p { margin: 0; font: inherit; }
textarea { outline: 0; }
:focus-visible:not(textarea) { outline: 2px solid var(--accent); outline-offset: 2px; }
.icon { width: 1.35em; height: 1.35em; fill: none; stroke: currentColor; stroke-width: 1.9;
  stroke-linecap: round; stroke-linejoin: round; flex: none; display: block; }

.launcher { position: fixed; right: 20px; bottom: 20px; width: 60px; height: 60px; border-radius: 50%;
  display: grid; place-items: center; background: var(--accent); color: var(--on-accent); font-size: 20px;
  box-shadow: 0 2px 4px rgb(15 20 25 / 16%), 0 8px 24px rgb(15 20 25 / 24%); transition: transform .18s ease; }
.launcher:hover { transform: scale(1.05); }
.launcher:active { transform: scale(.97); }
.launcher .icon { grid-area: 1 / 1; transition: opacity .18s, transform .18s; }
.launcher[aria-expanded="false"] .icon:nth-of-type(2),
.launcher[aria-expanded="true"] .icon:nth-of-type(1) { opacity: 0; transform: rotate(-30deg) scale(.6); }
.badge { position: absolute; top: -2px; right: -2px; min-width: 22px; height: 22px; padding: 0 6px; border-radius: 11px;
  background: #d3382f; color: #fff; font-size: 12px; font-weight: 650; line-height: 22px; text-align: center;
  box-shadow: 0 0 0 2px var(--surface); }

.preview { position: fixed; right: 20px; bottom: 94px; max-width: min(320px, calc(100vw - 40px)); display: flex;
  align-items: flex-start; background: var(--surface); border-radius: 16px 16px 4px 16px; box-shadow: var(--shadow);
  animation: rise .25s ease; }
.words { padding: 12px 0 12px 16px; text-align: start; display: -webkit-box; -webkit-box-orient: vertical;
  -webkit-line-clamp: 3; overflow: hidden; overflow-wrap: anywhere; }
.dismiss { padding: 10px; font-size: 11px; color: var(--soft); }

.panel { position: fixed; right: 20px; bottom: 96px; width: 388px; height: min(660px, calc(100% - 120px));
  display: flex; flex-direction: column; overflow: hidden; border-radius: 20px; background: var(--surface);
  box-shadow: var(--shadow); animation: rise .22s cubic-bezier(.2, .8, .3, 1); transform-origin: 100% 100%; }

header { display: flex; align-items: center; gap: 12px; padding: 14px 12px 14px 18px; border-bottom: 1px solid var(--line); }
header > div { flex: 1; min-width: 0; }
header h2 { font-size: 16px; font-weight: 650; letter-spacing: -.01em; white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis; line-height: 1.25; }
.sign { width: 40px; height: 40px; border-radius: 50%; display: grid; place-items: center; background: var(--accent);
  color: var(--on-accent); font-size: 15px; }
.state { display: flex; align-items: center; gap: 6px; font-size: 13px; color: var(--soft); }
.state::before { content: ""; width: 8px; height: 8px; border-radius: 50%; background: #c9a227; }
[data-connected="true"] .state::before { background: #2fa56b; }
[data-connected="false"] .state::before { animation: pulse 1.2s ease-in-out infinite; }
.close { width: 40px; height: 40px; display: grid; place-items: center; border-radius: 50%; color: var(--soft);
  font-size: 14px; }
.close:hover { background: var(--field); color: var(--ink); }

.scroll { flex: 1; overflow-y: auto; overscroll-behavior: contain; padding: 16px 16px 12px; background: var(--ground);
  display: flex; flex-direction: column; scrollbar-width: thin; }
.scroll:focus-visible { outline-offset: -2px; }
.list { display: flex; flex-direction: column; margin-top: auto; }
.greeting { margin: auto; max-width: 26ch; text-align: center; color: var(--soft); text-wrap: balance; }
.day { align-self: center; margin: 14px 0 10px; font-size: 12px; font-weight: 550; color: var(--soft); }
.day:first-child { margin-top: 0; }

.message { display: flex; flex-direction: column; max-width: 84%; margin-top: 10px; animation: rise .2s ease; }
.message.team { align-self: flex-start; align-items: flex-start; }
.message.client { align-self: flex-end; align-items: flex-end; }
.day + .message { margin-top: 0; }
.follows { margin-top: 3px; }
.follows .author { display: none; }
.author { margin: 0 0 3px 13px; font-size: 12px; font-weight: 550; color: var(--soft); }
.bubble { padding: 9px 13px 8px; border-radius: 18px; overflow-wrap: anywhere; white-space: pre-wrap; max-width: 100%; }
.team .bubble { background: var(--theirs); border-bottom-left-radius: 6px; box-shadow: 0 0 0 1px var(--line); }
.client .bubble { background: var(--accent); color: var(--on-accent); border-bottom-right-radius: 6px; }
.bubble a { color: inherit; text-underline-offset: 2px; }
.team .bubble a { color: var(--link); }
.meta { float: right; display: inline-flex; align-items: center; gap: 3px; margin: 6px -3px 0 10px; font-size: 11px;
  line-height: 1.3; }
.team .meta { color: var(--soft); }
.mark .icon { stroke-width: 2.4; }
[data-state="failed"] .bubble { background: none; color: var(--danger); box-shadow: inset 0 0 0 1px var(--danger); }
.retry { display: inline-flex; align-items: center; gap: 4px; font-weight: 600; }

.picture { display: block; width: 228px; max-width: calc(100% + 18px); height: 171px; margin: -5px -9px 4px;
  border-radius: 13px; object-fit: cover; background: var(--field); }
.opening { display: block; border-radius: 13px; }
.document { display: inline-flex; align-items: center; gap: 8px; font-weight: 550; }
.opening .document span { text-decoration: underline; }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; margin-top: 6px; }
.buttons > * { padding: 7px 14px; border-radius: 17px; font-size: 14px; font-weight: 550; text-decoration: none;
  color: var(--link); box-shadow: inset 0 0 0 1.5px currentColor; transition: background .15s, color .15s; }
.buttons > :not(:disabled):hover, .buttons > .chosen { background: var(--accent); color: var(--on-accent);
  box-shadow: none; }
.buttons > :disabled:not(.chosen) { opacity: .45; cursor: default; }

form { display: flex; align-items: flex-end; gap: 6px; padding: 10px 12px 4px 8px; border-top: 1px solid var(--line); }
textarea { flex: 1; resize: none; max-height: 132px; padding: 9px 14px; border-radius: 20px; background: var(--field);
  line-height: 1.4; }
textarea:focus { box-shadow: inset 0 0 0 1.5px var(--link); }
textarea::placeholder { color: var(--soft); opacity: 1; }
.attach { width: 40px; height: 40px; display: grid; place-items: center; flex: none; border-radius: 50%; color: var(--soft); }
.attach:hover { background: var(--field); color: var(--ink); }
.dropping::after { content: ""; position: absolute; inset: 8px; border: 2px dashed var(--link); border-radius: 14px;
  background: color-mix(in oklab, var(--surface) 70%, transparent); pointer-events: none; }
.send { width: 40px; height: 40px; border-radius: 50%; display: grid; place-items: center; flex: none;
  background: var(--accent); color: var(--on-accent); font-size: 15px; transition: opacity .15s, transform .15s; }
.send:disabled { opacity: .35; cursor: default; }
.send:not(:disabled):active { transform: scale(.92); }
.credit { padding: 2px 0 8px; text-align: center; font-size: 11px; color: var(--soft); }

:host([data-position="left"]) { inset: auto auto 0 0; }
:host([data-position="left"]) :is(.launcher, .preview, .panel) { right: auto; left: 20px; transform-origin: 0 100%; }
:host([data-position="left"]) .preview { border-radius: 16px 16px 16px 4px; }

@media (max-width: 480px) {
  :host .panel, :host([data-position]) .panel { inset: 0; width: auto; height: 100dvh; max-height: 100%; border-radius: 0; }
  .panel:not([hidden]) ~ .launcher { display: none; }
  textarea { font-size: 16px; }
}
@keyframes rise { from { opacity: 0; transform: translateY(8px) scale(.985); } }
@keyframes pulse { 50% { opacity: .3; } }
@media (prefers-reduced-motion: reduce) { *, ::before { animation: none !important; transition: none !important; } }
`;

/**
 * A constructed stylesheet: the page's Content-Security-Policy does not block it, and the page's styles do not
 * affect it.
 * @param {string | null} accent
 */
export function styleSheet(accent) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  if (accent === null) return sheet;
  sheet.insertRule(`:host { --accent: ${accent}; --on-accent: ${inkOn(accent)}; }`, sheet.cssRules.length);
  return sheet;
}

/**
 * Black or white, whichever has more contrast with the colour. Source: WCAG 2.2, relative luminance.
 * @param {string} colour
 */
function inkOn(colour) {
  const brush = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!brush) return '#fff';
  brush.fillStyle = colour;
  brush.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = Array.from(brush.getImageData(0, 0, 1, 1).data, linear);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}

/** @param {number} channel 0 to 255 */
const linear = (channel) => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};
