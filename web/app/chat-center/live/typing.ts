import type { Author } from '../../../../src/people/chat-center/schema.ts';
import { type Held, held } from '../kept.ts';

/** Somebody who writes in a chat at this moment. */
export type Writer = { chat: string; author: Author };

const holdsForMs = 5_000;

export type Writers = {
  held: Held<readonly Writer[]>;
  /** Somebody writes; it is forgotten when nothing is heard of it any more. */
  note(writer: Writer): void;
  /** What was being written is there. */
  forget(chat: string, author: string | null): void;
};

export function createWriters(): Writers {
  const list = held<readonly Writer[]>([]);
  const timers = new Map<string, ReturnType<typeof setTimeout>>();

  const without = (chat: string, author: string | null) =>
    list.get().filter((one) => one.chat !== chat || one.author.uuid !== author);
  function forget(chat: string, author: string | null): void {
    clearTimeout(timers.get(`${chat} ${author}`));
    if (list.get().length > 0) list.set(without(chat, author));
  }
  return {
    held: list,
    forget,
    note({ chat, author }) {
      forget(chat, author.uuid);
      timers.set(
        `${chat} ${author.uuid}`,
        setTimeout(() => forget(chat, author.uuid), holdsForMs),
      );
      list.set([...list.get(), { chat, author }]);
    },
  };
}
