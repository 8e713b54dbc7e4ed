import { type Held, kept } from '../kept.ts';

/** An unsent text, for the client or for colleagues. */
export type Draft = { text: string; isNote: boolean };

export type Drafts = {
  held: Held<Readonly<Record<string, Draft>>>;
  of(chat: string): Draft;
  /** An empty draft is deleted. */
  write(chat: string, draft: Draft): void;
};

const none: Draft = { text: '', isNote: false };

/** The drafts of one operator in this browser, by chat. */
export function createDrafts(operator: string): Drafts {
  const held = kept(`drafts-${operator}`, readDrafts);
  return {
    held,
    of: (chat) => held.get()[chat] ?? none,
    write(chat, draft) {
      const { [chat]: _old, ...others } = held.get();
      held.set(draft.text === '' && !draft.isNote ? others : { ...others, [chat]: draft });
    },
  };
}

function readDrafts(stored: unknown): Record<string, Draft> {
  if (typeof stored !== 'object' || stored === null) return {};
  return Object.fromEntries(
    Object.entries(stored).filter((entry): entry is [string, Draft] => isDraft(entry[1])),
  );
}

const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  'isNote' in value &&
  typeof value.isNote === 'boolean';
