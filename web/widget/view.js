/** @import { Item } from './conversation.js' */
/** @import { Actions } from './message-view.js' */
/** @import { Drawing } from './options.js' */
import { createLauncher } from './launcher.js';
import { createLog } from './log.js';
import { createPanel } from './panel.js';
import { styleSheet } from './styles.js';

/**
 * @typedef {object} Wiring
 * @property {Actions} actions
 * @property {(item: Item) => void} onSeen a message of the team is before the client's eyes
 * @property {() => void} onTop older messages are wanted
 * @property {(text: string) => void} onSend
 * @property {(file: File) => void} onFile
 * @property {() => void} onOpen
 * @property {() => void} onClose
 */

/** @typedef {ReturnType<typeof createView>} View */

/**
 * The visible part of a widget, in its own shadow root: on a page, or as a preview in the console.
 * @param {Drawing} drawing
 * @param {Wiring} wiring
 */
export function createView(drawing, { actions, onSeen, onTop, onSend, onFile, onOpen, onClose }) {
  const log = createLog(drawing, { actions, onSeen, onTop });
  const panel = createPanel(drawing, log, { onSend, onFile, onClose });
  const launcher = createLauncher(drawing.words, {
    onToggle: () => (panel.node.hidden ? onOpen() : onClose()),
    onOpen,
  });
  const host = document.createElement('patchbay-widget');
  host.dataset.theme = drawing.theme;
  host.dataset.position = drawing.position;
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [styleSheet(drawing.accent)];
  root.append(panel.node, ...launcher.nodes);
  launcher.show(false, 0);
  return {
    host,
    log,
    panel,
    launcher,

    /** Removes it from its page. */
    remove() {
      log.end();
      host.remove();
    },
  };
}
