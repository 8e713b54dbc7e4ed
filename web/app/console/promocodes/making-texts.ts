import { counted, texts } from '../../shared/language.tsx';

const codes = (count: number) => counted('en', count, { one: 'code', other: 'codes' });
const kodov = (count: number) =>
  counted('ru', count, { one: 'код', few: 'кода', many: 'кодов', other: 'кода' });

/** Texts for generating and importing codes. */
export const makingTexts = texts(
  {
    howMany: 'How many',
    length: 'Characters',
    lengthHint: 'Without the prefix, 5 to 10',
    digits: 'Digits in addition to letters A–Z',
    prefix: 'Prefix',
    until: 'Last day of validity',
    untilHint: 'Leave empty for no expiry',
    looksLike: (example: string) => `Example: ${example}`,
    made: (count: number) => `${codes(count)} created`,
    madeOf: (count: string, of: string) => `${count} of ${of}`,
    ranOut: (count: number) =>
      `Only ${codes(count)} created: few codes of this form are left. Use more characters, digits or another prefix.`,
    stop: 'Stop',
    list: 'Codes, one per line',
    file: 'or a CSV or text file',
    fileHint: 'The first column is used. Up to a million lines; existing codes stay unchanged.',
    choose: 'Choose a file',
    start: 'Import',
    added: 'Added',
    duplicate: 'Already exists',
    too_long: 'Longer than 1,024 characters',
    blank: 'Empty',
    unreadable: 'Not readable as text',
    lines: (count: number) => counted('en', count, { one: 'line', other: 'lines' }),
    line: 'Line',
    what: 'Result',
    problems: 'Lines that were not added',
    firstProblems: (count: string) => `Only the first ${count} are listed.`,
    broken: 'The import was interrupted. Start it again: added codes are kept and not added twice.',
    nothing: 'No line contains a code.',
    again: 'Another list',
  },
  {
    ru: {
      howMany: 'Сколько',
      length: 'Символов',
      lengthHint: 'Без префикса, от 5 до 10',
      digits: 'Цифры в дополнение к буквам A–Z',
      prefix: 'Префикс',
      until: 'Последний день действия',
      untilHint: 'Оставьте пустым, если бессрочно',
      looksLike: (example) => `Например, ${example}`,
      made: (count) => `Создано: ${kodov(count)}`,
      madeOf: (count, of) => `${count} из ${of}`,
      ranOut: (count) =>
        `Удалось создать только ${kodov(count)}: свободных кодов такого вида почти не осталось. Добавьте символы, цифры или смените префикс.`,
      stop: 'Остановить',
      list: 'Коды, по одному в строке',
      file: 'или файл CSV либо текстовый файл',
      fileHint: 'Используется первый столбец. До миллиона строк; существующие коды не меняются.',
      choose: 'Выбрать файл',
      start: 'Загрузить',
      added: 'Добавлено',
      duplicate: 'Уже есть',
      too_long: 'Длиннее 1024 символов',
      blank: 'Пусто',
      unreadable: 'Не читается как текст',
      lines: (count) =>
        counted('ru', count, { one: 'строка', few: 'строки', many: 'строк', other: 'строки' }),
      line: 'Строка',
      what: 'Результат',
      problems: 'Строки, которые не добавлены',
      firstProblems: (count) => `Показаны только первые ${count}.`,
      broken: 'Загрузка прервалась. Начните её снова: добавленные коды сохранены и не добавятся дважды.',
      nothing: 'Ни в одной строке нет кода.',
      again: 'Другой список',
    },
  },
);
