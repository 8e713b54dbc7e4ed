import { createServer } from 'node:net';
import { Long, type tl } from '@mtcute/node';
import { seconds } from '../clock.ts';
import type { Place } from '../http-api.ts';
import { listenAt } from '../listening.ts';
import { type Answering, Connection, type Protocol } from './connection.ts';
import { createEnvelope } from './envelope.ts';

export type MtprotoServer = {
  port: number;
  /** Sends an update to everybody who listens. */
  push(update: tl.TypeUpdates): void;
  /** Somebody listens. */
  isHeard(): boolean;
  /** Ends every connection. */
  cut(): void;
};

/** MTProto over TCP, for clients that share a key with us: there is no handshake. */
export async function startMtproto(
  place: Place,
  { port, key, answer }: { port: number; key: Uint8Array; answer: Answering },
): Promise<MtprotoServer> {
  const connections = new Set<Connection>();
  let sent = 0;
  const protocol: Protocol = {
    envelope: await createEnvelope(key),
    answer,
    /** Ids of messages only grow. An odd one is the server's. */
    nextMessage() {
      sent += 1;
      return new Long((sent << 2) | 1, seconds());
    },
  };
  const server = createServer((socket) => {
    const connection = new Connection(socket, protocol);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  const ownPort = await listenAt(server, port);
  const cut = (): void => {
    for (const connection of connections) connection.end();
  };
  place.after(() => {
    cut();
    server.close();
  });
  const hearing = () => [...connections].filter(({ isHearing }) => isHearing);
  return {
    port: ownPort,
    push: (update) => {
      for (const connection of hearing()) connection.say(update);
    },
    isHeard: () => hearing().length > 0,
    cut,
  };
}
