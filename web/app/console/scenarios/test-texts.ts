import { texts } from '../../shared/language.tsx';

export const testTexts = texts(
  {
    lead: 'Conversations that the text in the editor is held against, each time it changes.',
    none: 'There are no tests yet. Talk to the scenario under “Try it”, and keep the conversation as a test.',
    passes: 'Passes',
    fails: 'Fails',
    running: 'Running',
    cannot: 'Cannot run',
    summary: (passed: string, of: string) => `${passed} of ${of} pass`,
    delete: 'Delete',
    deleteTitle: (name: string) => `Delete the test “${name}”?`,
    deleteText: 'It cannot be brought back.',
    script: 'Script (JSON)',
    scriptHint: 'As “scenario run” takes it.',
    notJson: 'This is not a JSON object.',
  },
  {
    ru: {
      lead: 'Разговоры, с которыми сверяется текст в редакторе при каждом изменении.',
      none: 'Тестов пока нет. Поговорите со сценарием на вкладке «Проверить» и сохраните разговор как тест.',
      passes: 'Проходит',
      fails: 'Не проходит',
      running: 'Идёт',
      cannot: 'Не запустить',
      summary: (passed, of) => `Проходят ${passed} из ${of}`,
      delete: 'Удалить',
      deleteTitle: (name) => `Удалить тест «${name}»?`,
      deleteText: 'Вернуть его будет нельзя.',
      script: 'Сценарий теста (JSON)',
      scriptHint: 'В том виде, в каком его берёт «scenario run».',
      notJson: 'Это не объект JSON.',
    },
  },
);
