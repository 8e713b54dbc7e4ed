import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('./insert-until-killed.ts', import.meta.url));

/**
 * Runs `insert-until-killed.ts` on a data folder, and kills it after this many acknowledgements. Returns every
 * acknowledged id.
 */
export async function insertAndKill(
  dataDir: string,
  firstId: number,
  acknowledgements: number,
): Promise<number[]> {
  const child = spawn(process.execPath, [script, dataDir, `${firstId}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ids: number[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    ids.push(Number(line));
    if (ids.length === acknowledgements) child.kill('SIGKILL');
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return ids;
}
