/** Mails under their UIDs, the oldest first. */
export type Mailbox = {
  count(): number;
  /** Returns the new mail's UID. */
  add(source: string): number;
  /** The UIDs from one to another; `*` is the last. `n:*` is the last mail where n is beyond it. */
  search(from: string, until: string): number[];
  /** A mail with its place, from one. */
  find(uid: number): { place: number; source: string } | null;
  /** The mailbox is made anew: its UIDs count from one again, and its mails keep their order. */
  renumber(): void;
  validity(): number;
  nextUid(): number;
};

/** Older mails have been read, and keep only their places. */
const mostKept = 5_000;

export function createMailbox(firstValidity: number): Mailbox {
  const mails: { uid: number; source: string }[] = [];
  let [validity, next] = [firstValidity, 1];
  return {
    count: () => mails.length,
    add(source) {
      const uid = next;
      next += 1;
      mails.push({ uid, source });
      const old = mails[mails.length - 1 - mostKept];
      if (old) old.source = '';
      return uid;
    },
    search(from, until) {
      const last = mails.at(-1)?.uid ?? 0;
      const [first, end] =
        until === '*' ? [Math.min(Number(from), last), last] : [Number(from), Number(until)];
      return mails.filter(({ uid }) => uid >= first && uid <= end).map(({ uid }) => uid);
    },
    find(wanted) {
      const index = mails.findIndex(({ uid }) => uid === wanted);
      const mail = mails[index];
      return mail ? { place: index + 1, source: mail.source } : null;
    },
    renumber() {
      validity += 1;
      mails.forEach((mail, index) => {
        mail.uid = index + 1;
      });
      next = mails.length + 1;
    },
    validity: () => validity,
    nextUid: () => next,
  };
}
