/**
 * The possible states of a message by the contract, independent of the program. Source: docs/contract.md, section 3.
 */

export const states = [
  'PENDING',
  'IN_PROCESS',
  'SENT',
  'DELIVERED',
  'READ',
  'UNDELIVERED',
  'CANCELLED',
  'ERROR',
] as const;

export type State = (typeof states)[number];

export const legalMoves: Record<State, readonly State[]> = {
  PENDING: ['IN_PROCESS', 'CANCELLED'],
  IN_PROCESS: ['PENDING', 'SENT', 'UNDELIVERED', 'ERROR'],
  SENT: ['DELIVERED', 'READ', 'UNDELIVERED'],
  DELIVERED: ['READ', 'UNDELIVERED'],
  READ: [],
  UNDELIVERED: [],
  CANCELLED: [],
  ERROR: [],
};

/**
 * The possible ends of a call. With `lost` the provider got the call, and its answer did not arrive. With `unheard`
 * the call never reached the provider.
 */
export const endings = ['sent', 'slow down', 'lost', 'unheard', 'refused', 'unauthorized'] as const;
export type Ending = (typeof endings)[number];

export type Receipt = 'delivered' | 'read' | 'undelivered';

/** Refusals by rate do not count. After this many other calls a message is given up. */
const mostCalls = 10;
const patienceMs = 24 * 3_600_000;

export type Model = {
  state: State;
  /** Every move so far, as `from>to`. */
  moves: string[];
  /** The worker whose result counts. */
  holder: number | null;
  /** Whether the provider may have taken a call for this message. */
  mayHaveSent: boolean;
  calls: number;
};

export const newMessage = (): Model => ({
  state: 'PENDING',
  moves: [],
  holder: null,
  mayHaveSent: false,
  calls: 0,
});

function move(model: Model, to: State): void {
  if (model.state === to) return;
  if (!legalMoves[model.state].includes(to)) throw new Error(`the model is wrong: ${model.state}>${to}`);
  model.moves.push(`${model.state}>${to}`);
  model.state = to;
}

export function claim(model: Model, worker: number): void {
  // The end of a lost worker's call is unknown.
  if (model.holder !== null) model.mayHaveSent = true;
  move(model, 'IN_PROCESS');
  model.holder = worker;
  model.calls += 1;
}

/** Ends a worker's call. A worker that has lost its claim changes nothing. */
export function end(model: Model, worker: number, ending: Ending, ageMs: number): void {
  if (model.holder !== worker || model.state !== 'IN_PROCESS') return;
  model.holder = null;
  if (ending === 'slow down') model.calls -= 1;
  move(model, stateAfter(model, ending, ageMs));
}

function stateAfter(model: Model, ending: Ending, ageMs: number): State {
  switch (ending) {
    case 'sent':
      return 'SENT';
    case 'refused':
      return 'UNDELIVERED';
    case 'unauthorized':
      return 'ERROR';
    case 'slow down':
      return ageMs > patienceMs ? 'UNDELIVERED' : again(model);
    case 'lost':
    case 'unheard':
      return model.calls >= mostCalls ? 'UNDELIVERED' : again(model);
  }
}

/** It can be cancelled again only if none of its calls can have sent anything. */
const again = ({ mayHaveSent }: Model): State => (mayHaveSent ? 'IN_PROCESS' : 'PENDING');

/** True for 204. */
export function cancel(model: Model): boolean {
  if (model.state !== 'PENDING') return false;
  move(model, 'CANCELLED');
  return true;
}

/** Forwards only. A receipt that precedes our own record of the sending proves the sending. */
export function receive(model: Model, receipt: Receipt): void {
  const { state } = model;
  const isOut = state === 'SENT' || state === 'DELIVERED';
  if (receipt === 'undelivered') {
    if (isOut || state === 'IN_PROCESS') move(model, 'UNDELIVERED');
  } else {
    if (state === 'IN_PROCESS') move(model, 'SENT');
    if (receipt === 'delivered' && model.state === 'SENT') move(model, 'DELIVERED');
    if (receipt === 'read' && (model.state === 'SENT' || model.state === 'DELIVERED')) move(model, 'READ');
  }
  if (model.state !== state) model.holder = null;
}
