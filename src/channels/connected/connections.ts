import type { Sender } from '../contract/adapter.ts';

/** The senders of the connections that this process holds, by the ids of their channels. */
export type Connections = Map<string, Sender>;
