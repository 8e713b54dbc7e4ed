import type { Bubble, Phone } from './phone.ts';
import type { Provider } from './provider.ts';

/** The forms in which the page gets everything. `web/phones/state.js` reads them. */

export const presentBubble = ({ files, ...bubble }: Bubble) => ({
  ...bubble,
  files: files.map(({ kind, name, id }) => ({ kind, name, url: filePath(id, name) })),
});

export const presentPhone = ({ id, part, person, address, isBlocked, readsAtOnce, bubbles }: Phone) => ({
  id,
  part,
  name: person.name,
  address,
  is_blocked: isBlocked,
  reads_at_once: readsAtOnce,
  bubbles: bubbles.map(presentBubble),
});

export function presentProvider({ part, player, mood, crowd, figures, queue }: Provider) {
  const { platform, settings, learnt = {}, says, receipts, moods, enter, block, addresses } = player;
  return {
    part,
    platform,
    settings,
    learnt,
    says,
    receipts,
    moods,
    mood,
    can_block: block !== undefined,
    takes_address: enter !== undefined,
    addresses: addresses(),
    crowd,
    waiting: queue.waiting(),
    figures,
  };
}

export const filePath = (id: string, name: string): string => `/files/${id}/${encodeURIComponent(name)}`;
