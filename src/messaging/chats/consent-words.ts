import type { Way } from '../../clients/consent/ways.ts';

/** What a client's word asks for, with the project's answers to such words. */
export type Asked = {
  change: 'leave' | 'return';
  /** The topic that the word leaves. Null for everything. */
  topic: { id: string; name: string } | null;
  /** Null for our own words, and empty for no answer. */
  answer: string | null;
  return_words: string[];
};

export const wayOf = (type: string): Way => (type === 'button' ? 'button' : 'word');

const isRussian = (text: string): boolean => /\p{Script=Cyrillic}/u.test(text);

/** The answer in the language of the word. Null for none. An answer of the project is about everything. */
export function answerTo(word: string, { change, topic, answer, return_words }: Asked): string | null {
  if (answer === '') return null;
  if (answer !== null && topic === null) return answer;
  const isInRussian = isRussian(word);
  const back = return_words.find((one) => isRussian(one) === isInRussian);
  const texts = isInRussian ? russian : english;
  if (change === 'return') return texts.back;
  return (topic ? texts.topic(topic.name) : texts.everything) + (back ? ` ${texts.howBack(back)}` : '');
}

const english = {
  everything: 'You will get no more mailings from us.',
  topic: (name: string) => `You will get no more mailings about “${name}”.`,
  howBack: (word: string) => `To get them again, write “${word}”.`,
  back: 'You get our mailings again.',
};

const russian: typeof english = {
  everything: 'Мы больше не будем присылать вам рассылки.',
  topic: (name) => `Мы больше не будем присылать вам рассылки на тему «${name}».`,
  howBack: (word) => `Чтобы получать их снова, напишите «${word}».`,
  back: 'Вы снова получаете наши рассылки.',
};
