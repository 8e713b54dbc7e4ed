import { texts } from '../../../shared/language.tsx';

export const abResultTexts = texts(
  {
    title: 'A/B test',
    variant: (letter: string) => `Variant ${letter}`,
    states: {
      planned: 'The test begins with the mailing.',
      sampling: 'The sample is being sent. The rest waits.',
      asking: 'No difference was shown. The rest waits until you choose its variant.',
      sending: 'The messages are being sent.',
      ended: 'The mailing has ended.',
    },
    waiting: (at: string) =>
      `The sample is sent, and the rest waits. The result is computed once, at ${at}. Differences before that may be chance.`,
    won: (letter: string, measure: string) => `Variant ${letter} won by “${measure}”.`,
    same: (letters: string, measure: string) =>
      `No difference by “${measure}” was shown between the variants ${letters}.`,
    nobody: 'Nobody got the sample, so it shows nothing.',
    rest: (letter: string) => `The rest gets variant ${letter}.`,
    chosen: (letter: string, author: string) => `${author} chose variant ${letter} for the rest.`,
    somebody: 'An administrator',
    interval: (rate: string, count: string, of: string, low: string, high: string) =>
      `${rate} (${count} of ${of}). The true share lies between ${low} and ${high}.`,
    nothing: 'Nobody got it.',
    decided: (at: string) => `What the sample showed, ${at}`,
    ended: 'What the mailing shows',
    honest:
      'A difference is shown where the intervals do not overlap. They are Wilson’s, widened for the number of comparisons (Bonferroni): of twenty tests without a difference at most one shows one.',
    choose: (letter: string) => `Send variant ${letter} to the rest`,
    chooseTitle: (letter: string) => `Send variant ${letter} to the rest?`,
    chooseSays: 'Everybody who did not belong to the sample gets it now. This cannot be changed afterwards.',
    table: 'Statistics by variant',
    name: 'Variant',
    share: 'Share',
    planned: 'Planned',
    sent: 'Sent',
    delivered: 'Delivered',
    measures: {
      read: 'Read',
      jumped: 'Followed a link',
      clicked: 'Clicked a button',
      replied: 'Replied',
      converted: 'Converted',
    },
    tableHelp:
      'With the rest, the numbers of a variant grow after the decision. They say nothing more about it.',
  },
  {
    ru: {
      title: 'A/B-тест',
      variant: (letter) => `Вариант ${letter}`,
      states: {
        planned: 'Тест начнётся вместе с рассылкой.',
        sampling: 'Отправляется выборка. Остальные ждут.',
        asking: 'Разницы не видно. Остальные ждут, пока вы выберете вариант.',
        sending: 'Сообщения отправляются.',
        ended: 'Рассылка закончилась.',
      },
      waiting: (at) =>
        `Выборка отправлена, остальные ждут. Итог считается один раз: ${at}. Разница до этого может быть случайной.`,
      won: (letter, measure) => `Победил вариант ${letter} по показателю «${measure}».`,
      same: (letters, measure) => `Разницы по показателю «${measure}» между вариантами ${letters} не видно.`,
      nobody: 'Выборку никто не получил, поэтому итога нет.',
      rest: (letter) => `Остальные получат вариант ${letter}.`,
      chosen: (letter, author) => `${author}: для остальных выбран вариант ${letter}.`,
      somebody: 'Администратор',
      interval: (rate, count, of, low, high) =>
        `${rate} (${count} из ${of}). Истинная доля лежит между ${low} и ${high}.`,
      nothing: 'Никто не получил.',
      decided: (at) => `Что показала выборка, ${at}`,
      ended: 'Что показала рассылка',
      honest:
        'Разница видна там, где интервалы не пересекаются. Это интервалы Уилсона, расширенные по числу сравнений (Бонферрони): из двадцати тестов без разницы её покажет не больше одного.',
      choose: (letter) => `Отправить остальным вариант ${letter}`,
      chooseTitle: (letter) => `Отправить остальным вариант ${letter}?`,
      chooseSays: 'Его сразу получат все, кто не попал в выборку. Изменить это потом нельзя.',
      table: 'Статистика по вариантам',
      name: 'Вариант',
      share: 'Доля',
      planned: 'Запланировано',
      sent: 'Отправлено',
      delivered: 'Доставлено',
      measures: {
        read: 'Прочитано',
        jumped: 'Перешли по ссылке',
        clicked: 'Нажали кнопку',
        replied: 'Ответили',
        converted: 'Совершили действие',
      },
      tableHelp: 'Вместе с остальными числа варианта растут и после решения. О решении они уже не говорят.',
    },
  },
);
