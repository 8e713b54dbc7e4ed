import { InvalidArgumentError } from 'commander';

export const usualSimulatorPort = 3100;

export const simulatorAt = (port: number): string => `http://127.0.0.1:${port}`;

/** The places that Patchbay calls: the HTTP APIs, and the two mail servers. */
export const placesOf = (port: number): string[] =>
  [port, port + 1, port + 2].map((place) => `127.0.0.1:${place}`);

export function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_533)
    throw new InvalidArgumentError('Name a port up to 65533.');
  return port;
}
