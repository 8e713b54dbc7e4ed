import { load } from './load.ts';
import { type Program, type Storage, startProgram } from './processes.ts';

const connections = 64;
const seconds = 1;
const groups = '/api/partners/promocode-groups/';
const codes = '/api/partners/promocodes/';

type Key = Record<string, string>;

/** Codes generated per second in one group: for the first codes of `count`, and for the last. */
export async function generateCodes(
  storage: Storage,
  count: number,
): Promise<{ atFirst: number; atLast: number }> {
  const program = await startProgram(storage, 'api');
  const { key: headers } = await setProject(program);
  const path = `${codes}generate/`;
  const generate = async (group: string): Promise<number> => {
    const body = JSON.stringify({ group });
    const { perSecond, refused } = await load({
      url: program.url,
      path,
      headers,
      body,
      connections,
      seconds,
    });
    if (refused > 0) throw new Error(`${refused} requests were refused`);
    return perSecond;
  };
  for (let n = 0; n < 5; n += 1) await generate(await newGroup(program, headers));

  const group = await newGroup(program, headers);
  const rates: number[] = [];
  for (let made = 0; made < count; made += (rates.at(-1) ?? 0) * seconds) rates.push(await generate(group));
  await program.stop();
  const some = Math.ceil(rates.length / 4);
  return { atFirst: median(rates.slice(0, some)), atLast: median(rates.slice(-some)) };
}

const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[(numbers.length - 1) >> 1] ?? 0;

async function setProject(program: Program): Promise<{ uuid: string; key: Key }> {
  const project = await program.command<{ uuid: string; bot_key: string }>('project', 'create', 'Bench');
  return { uuid: project.uuid, key: { 'bot-key': project.bot_key } };
}

async function newGroup(program: Program, key: Key): Promise<string> {
  const response = await fetch(program.url + groups, {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json' },
    body: '{"name": "Bench"}',
  });
  const { uuid }: { uuid: string } = JSON.parse(await response.text());
  return uuid;
}
