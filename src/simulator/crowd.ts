import type { Figures } from './figures.ts';
import { personOf } from './people.ts';
import type { Player, Receipt, Shown } from './player.ts';

/** The first number of a crowd. Smaller numbers have phones on the page. */
export const firstOfCrowd = 1_001;
export const mostOfCrowd = 100_000;

export const isOfCrowd = (number: number): boolean => number >= firstOfCrowd;

/** What a person of the crowd does. The number decides, so that nothing is kept for them. */
export type Habit = { standing: 'open' | 'blocked' | 'gone'; reads: boolean; answers: boolean };

/** Of a hundred people two are gone, three have blocked the channel, seventy read and ten of these answer. */
export function habitOf(number: number): Habit {
  const place = Math.imul(number, 2_654_435_761) >>> 0;
  const percent = Math.floor((place / 2 ** 32) * 100);
  if (percent < 2) return { standing: 'gone', reads: false, answers: false };
  if (percent < 5) return { standing: 'blocked', reads: false, answers: false };
  return { standing: 'open', reads: percent < 75, answers: percent < 15 };
}

export type Queue = { add(task: () => Promise<void>): void; waiting(): number; stop(): void };

const atOnce = 16;
const mostWaiting = 300_000;

/** Runs tasks in order, some of them at once. What does not fit is dropped. */
export function createQueue(failed: () => void): Queue {
  const tasks: (() => Promise<void>)[] = [];
  let [next, running, isOver] = [0, 0, false];

  function run(): void {
    while (running < atOnce && next < tasks.length && !isOver) {
      const task = tasks[next];
      next += 1;
      if (next >= 1_000) {
        tasks.splice(0, next);
        next = 0;
      }
      running += 1;
      task?.()
        .catch(failed)
        .finally(() => {
          running -= 1;
          run();
        });
    }
  }

  return {
    add(task) {
      if (tasks.length - next < mostWaiting) tasks.push(task);
      else failed();
      run();
    },
    waiting: () => tasks.length - next + running,
    stop: () => {
      isOver = true;
    },
  };
}

/** Everybody of the crowd writes for the first time, as most providers require before a mailing. */
export function letCrowdWrite(
  player: Player,
  from: number,
  to: number,
  queue: Queue,
  figures: Figures,
): void {
  for (let number = from; number <= to; number += 1) {
    queue.add(async () => {
      await player.say(personOf(number), { kind: 'text', text: 'Hello!' });
      figures.written += 1;
    });
  }
}

/** A person of the crowd got a message. */
export function receiveInCrowd(player: Player, { id, to }: Shown, queue: Queue, figures: Figures): void {
  const { standing, reads, answers } = habitOf(to);
  const person = personOf(to);
  const acknowledge = (receipt: Receipt): void => {
    if (!player.receipts.includes(receipt)) return;
    queue.add(async () => {
      await player.acknowledge?.(person, [id], receipt);
      figures[receipt] += 1;
    });
  };
  if (standing === 'blocked') {
    acknowledge('undelivered');
    return;
  }
  acknowledge('delivered');
  if (reads) acknowledge('read');
  if (!answers) return;
  queue.add(async () => {
    await player.say(person, { kind: 'text', text: 'Thank you!' });
    figures.answered += 1;
  });
}
