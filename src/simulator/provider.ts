import { type Conversations, createConversations } from './conversations.ts';
import {
  createQueue,
  firstOfCrowd,
  habitOf,
  isOfCrowd,
  letCrowdWrite,
  mostOfCrowd,
  type Queue,
  receiveInCrowd,
} from './crowd.ts';
import { type Figures, noFigures } from './figures.ts';
import type { Files } from './files.ts';
import type { Bubble, Phone } from './phone.ts';
import type { Mood, Player } from './player.ts';

/** What changed, for the pages. */
export type News = { kind: 'phone'; phone: Phone } | { kind: 'bubble'; phone: string; bubble: Bubble };

/** A provider with its phones and its crowd. */
export type Provider = Pick<Conversations, 'phones' | 'open' | 'say' | 'read' | 'block' | 'setReading'> & {
  part: string;
  player: Player;
  mood: Mood;
  crowd: number;
  figures: Figures;
  queue: Queue;
  /** This many people wrote before the simulator started. */
  remember(crowd: number): void;
  /** Everybody up to this size writes who has not written yet. */
  gather(size: number): void;
  stop(): void;
};

export type Surroundings = {
  files: Files;
  tell(news: News): void;
};

/** Phones are numbered from 1. A message to a further number is only counted. */
export const mostPhones = 99;

export function createProvider(part: string, player: Player, surroundings: Surroundings): Provider {
  const figures = noFigures();
  const queue = createQueue(() => {
    figures.failed += 1;
  });
  const conversations = createConversations(part, player, figures, surroundings);
  const provider: Provider = {
    ...conversations,
    part,
    player,
    mood: 'normal',
    crowd: 0,
    figures,
    queue,
    remember(crowd) {
      provider.crowd = crowd;
      player.know?.(numbersOfCrowd(crowd));
    },
    gather(size) {
      const [before, wanted] = [provider.crowd, Math.min(size, mostOfCrowd)];
      if (wanted <= before) return;
      provider.remember(wanted);
      letCrowdWrite(player, firstOfCrowd + before, firstOfCrowd + wanted - 1, queue, figures);
    },
    stop() {
      queue.stop();
      conversations.stop();
    },
  };
  connect(provider, conversations);
  return provider;
}

/** The provider asks us before it accepts a message, and hands over what it accepted. */
function connect(provider: Provider, { standing, noteRefusal, receive, open }: Conversations): void {
  const { player, figures, queue } = provider;
  player.obey({
    mood: () => provider.mood,
    standing: (number) => (isOfCrowd(number) ? habitOf(number).standing : standing(number)),
    refused(number, reason) {
      figures.refused += 1;
      noteRefusal(number, reason);
    },
  });
  player.listen((shown) => {
    figures.accepted += 1;
    if (isOfCrowd(shown.to)) receiveInCrowd(player, shown, queue, figures);
    else if (shown.to <= mostPhones) receive(open(shown.to), shown);
  });
}

const numbersOfCrowd = (size: number): number[] =>
  Array.from({ length: size }, (_, place) => firstOfCrowd + place);
