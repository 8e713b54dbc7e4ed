import { InvalidArgumentError } from 'commander';

export const usualSimulatorPort = 3100;

export const simulatorAt = (port: number): string => `http://127.0.0.1:${port}`;

/** The places that Patchbay calls: the HTTP APIs, the two mail servers, and MTProto. */
export const placesOf = (port: number): string[] =>
  [port, port + 1, port + 2, port + 3].map((place) => `127.0.0.1:${place}`);

export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_532)
    throw new InvalidArgumentError('Name a port up to 65532.');
  return port;
}
