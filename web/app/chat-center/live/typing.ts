import type { Author } from '../../../../src/people/chat-center/schema.ts';
import { type Held, held } from '../kept.ts';

/** A person who is typing in a chat. */
export type Writer = { chat: string; author: Author };

const holdsForMs = 5_000;

export type Writers = {
  held: Held<readonly Writer[]>;
  /** Records that a person is typing. The record expires without a further report. */
  note(writer: Writer): void;
  /** Removes the record, because the message has arrived. */
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
