/** What the simulator sends: `src/simulator/present.ts`. */

export type Mood =
  | 'normal'
  | 'slow'
  | 'busy'
  | 'busy_with_hint'
  | 'window_closed'
  | 'credentials'
  | 'down'
  | 'page'
  | 'hang';

export type Kind = 'text' | 'image' | 'file' | 'voice' | 'place' | 'contact' | 'press';

export type Bubble = {
  id: string;
  direction: 'in' | 'out' | 'note';
  refusals: number;
  text: string;
  subject: string;
  files: { kind: 'image' | 'file' | 'voice'; name: string; url: string }[];
  buttons: { label: string; url?: string; press?: string }[];
  at: number;
  state: 'sending' | 'accepted' | 'failed' | 'received';
  detail: string;
  isAnswered: boolean | null;
  receipt: 'delivered' | 'read' | null;
};

export type Phone = {
  id: string;
  part: string;
  name: string;
  /** As Patchbay knows it. */
  address: string;
  is_blocked: boolean;
  reads_at_once: boolean;
  bubbles: Bubble[];
};

export type Figures = {
  accepted: number;
  refused: number;
  delivered: number;
  read: number;
  undelivered: number;
  written: number;
  answered: number;
  failed: number;
};

export type Provider = {
  part: string;
  platform: string;
  settings: Record<string, string>;
  /** Settings that a login would bring. */
  learnt: Record<string, string>;
  says: Kind[];
  receipts: string[];
  moods: Mood[];
  mood: Mood;
  can_block: boolean;
  takes_address: boolean;
  addresses: string[];
  crowd: number;
  waiting: number;
  figures: Figures;
};
