import { connect } from 'node:net';

/** Whether a server on this loopback port accepts connections and speaks first. */
export function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('data', () => resolve(true));
    socket.once('close', () => resolve(false));
    socket.on('error', () => {});
    socket.once('data', () => socket.destroy());
  });
}
