import { texts } from '../../shared/language.tsx';

export const testTexts = texts(
  {
    lead: 'Each change in the editor runs these conversations against the scenario.',
    none: 'No tests yet. Have a conversation under “Try it” and save it as a test.',
    passes: 'Passes',
    fails: 'Fails',
    running: 'Running',
    cannot: 'Cannot run',
    summary: (passed: string, of: string) => `${passed} of ${of} pass`,
    delete: 'Delete',
    deleteTitle: (name: string) => `Delete the test “${name}”?`,
    deleteText: 'This cannot be undone.',
    script: 'Script (JSON)',
    scriptHint: 'In the format of “patchbay scenario run”.',
    notJson: 'The text is not a JSON object.',
  },
  {
    ru: {
      lead: 'При каждом изменении в редакторе сценарий проверяется на этих разговорах.',
      none: 'Тестов пока нет. Проведите разговор на вкладке «Проверить» и сохраните его как тест.',
      passes: 'Проходит',
      fails: 'Не проходит',
      running: 'Выполняется',
      cannot: 'Не удалось запустить',
      summary: (passed, of) => `Проходят ${passed} из ${of}`,
      delete: 'Удалить',
      deleteTitle: (name) => `Удалить тест «${name}»?`,
      deleteText: 'Отменить это нельзя.',
      script: 'Сценарий теста (JSON)',
      scriptHint: 'В формате команды «patchbay scenario run».',
      notJson: 'Текст не является объектом JSON.',
    },
  },
);
