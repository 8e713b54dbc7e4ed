import type { Wake } from '../../platform/database/wake.ts';

/** An operator is typing in a chat. */
export type Typing = {
  project: string;
  profile: string;
  chat: string;
  author: { uuid: string; name: string };
};

const topic = 'typing';

export const announceTyping = (wake: Wake, typing: Typing): void => wake.tell(topic, JSON.stringify(typing));

/** Returns the function that ends it. */
export const hearTyping = (wake: Wake, listener: (typing: Typing) => void): (() => void) =>
  wake.hear(topic, (text) => {
    const typing: Typing = JSON.parse(text);
    listener(typing);
  });
