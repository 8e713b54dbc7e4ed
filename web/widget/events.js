/** @typedef {{ event: string, id: string | null, data: string }} ServerEvent */

/**
 * Parses server-sent events from text chunks of any size. Lines end in a line feed, as this service writes them.
 * @param {(event: ServerEvent) => void} onEvent
 * @returns {(piece: string) => void}
 */
export function eventReader(onEvent) {
  let rest = '';
  return (piece) => {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = readBlock(block);
      if (event.data !== '') onEvent(event);
    }
  };
}

/**
 * @param {string} block
 * @returns {ServerEvent}
 */
function readBlock(block) {
  /** @type {ServerEvent} */
  const event = { event: 'message', id: null, data: '' };
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event' || name === 'id') event[name] = value;
    else if (name === 'data') event.data += event.data === '' ? value : `\n${value}`;
  }
  return event;
}
