import { counted, texts } from '../../shared/language.tsx';

const codes = (count: number) => counted('en', count, { one: 'code', other: 'codes' });
const kodov = (count: number) =>
  counted('ru', count, { one: 'код', few: 'кода', many: 'кодов', other: 'кода' });

/** The words of what brings codes into a group. */
export const makingTexts = texts(
  {
    howMany: 'How many',
    length: 'Characters',
    lengthHint: 'Without the prefix, 5 to 10',
    digits: 'Digits beside the letters A–Z',
    prefix: 'Prefix',
    until: 'Valid until the end of',
    untilHint: 'Empty: no end',
    looksLike: (example: string) => `For example ${example}`,
    made: (count: number) => `${codes(count)} made`,
    madeOf: (count: string, of: string) => `${count} of ${of}`,
    ranOut: (count: number) =>
      `Only ${codes(count)} could be made: hardly any of this form are left. Use more characters, digits or another prefix.`,
    stop: 'Stop',
    list: 'Codes, one in each line',
    file: 'or a CSV or text file',
    fileHint: 'The first column is taken. Up to a million lines; what is there already stays as it is.',
    choose: 'Choose a file',
    start: 'Import',
    added: 'Added',
    duplicate: 'There already',
    too_long: 'Longer than 1,024 characters',
    blank: 'Empty',
    unreadable: 'Not text',
    lines: (count: number) => counted('en', count, { one: 'line', other: 'lines' }),
    line: 'Line',
    what: 'What became of it',
    problems: 'Lines that were not added',
    firstProblems: (count: string) => `The first ${count} are listed.`,
    broken: 'The import broke off. Start it again: what was added stays, and is not added twice.',
    nothing: 'There is no line with a code in it.',
    again: 'Another list',
  },
  {
    ru: {
      howMany: 'Сколько',
      length: 'Символов',
      lengthHint: 'Без префикса, от 5 до 10',
      digits: 'Цифры, кроме букв A–Z',
      prefix: 'Префикс',
      until: 'Действуют до конца дня',
      untilHint: 'Пусто: бессрочно',
      looksLike: (example) => `Например, ${example}`,
      made: (count) => `Создано: ${kodov(count)}`,
      madeOf: (count, of) => `${count} из ${of}`,
      ranOut: (count) =>
        `Удалось создать только ${kodov(count)}: такого вида почти не осталось. Добавьте символов, цифр или смените префикс.`,
      stop: 'Остановить',
      list: 'Коды, по одному в строке',
      file: 'или файл CSV либо текстовый',
      fileHint: 'Берётся первый столбец. До миллиона строк; то, что уже есть, не меняется.',
      choose: 'Выбрать файл',
      start: 'Загрузить',
      added: 'Добавлено',
      duplicate: 'Уже есть',
      too_long: 'Длиннее 1024 символов',
      blank: 'Пусто',
      unreadable: 'Не текст',
      lines: (count) =>
        counted('ru', count, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' }),
      line: 'Строка',
      what: 'Что с ней стало',
      problems: 'Строки, которые не добавлены',
      firstProblems: (count) => `Показаны первые ${count}.`,
      broken: 'Загрузка прервалась. Начните её снова: добавленное останется и дважды не добавится.',
      nothing: 'Нет ни одной строки с кодом.',
      again: 'Ещё список',
    },
  },
);
