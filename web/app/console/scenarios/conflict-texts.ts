import { texts } from '../../shared/language.tsx';

export const conflictTexts = texts(
  {
    title: 'Another person saved this scenario',
    lead: (who: string, when: string, version: string, began: string) =>
      `${who} saved version ${version} ${when}; you started from version ${began}. Your text is not lost. Compare both and decide.`,
    draftLead: (who: string, when: string) =>
      `${who} changed this draft ${when}, while you were working on it. Your text is not lost. Compare both and decide.`,
    commandLine: 'The command line',
    theirs: (version: string, who: string) => `Saved: version ${version}, by ${who}`,
    theirDraft: (who: string) => `The draft of ${who}`,
    mine: 'Your text, not saved yet',
    hint: '“Use the left side” copies a part of the saved version into your text. Save your text when it is complete.',
    merge: 'Merge both',
    mergedAll: 'Your text now has the changes of both. Look at it and save it.',
    mergedBut: (names: string) =>
      `Your text now has the changes of both. Both of you changed these, and yours are used: ${names}.`,
    copy: 'Keep my text as a copy',
    copyName: (name: string, number: number) => `${name} (copy${number > 1 ? ` ${number}` : ''})`,
    saveMine: (version: string) => `Publish my text as version ${version}`,
    saveDraft: 'Go on with my text',
    takeTheirs: 'Use the saved version, discard my text',
    takeTitle: 'Discard your changes?',
    takeText: 'The editor will contain the saved version; your text will be lost.',
    back: 'Back to my text',
  },
  {
    ru: {
      title: 'Этот сценарий сохранил кто-то другой',
      lead: (who, when, version, began) =>
        `${who}: версия ${version} сохранена ${when}; вы начали с версии ${began}. Ваш текст не потерян. Сравните обе версии и решите.`,
      draftLead: (who, when) =>
        `${who}: черновик изменён ${when}, пока вы над ним работали. Ваш текст не потерян. Сравните оба и решите.`,
      commandLine: 'Командная строка',
      theirs: (version, who) => `Сохранено: версия ${version}, ${who}`,
      theirDraft: (who) => `Черновик: ${who}`,
      mine: 'Ваш текст, ещё не сохранён',
      hint: '«Взять левое» копирует часть сохранённой версии в ваш текст. Сохраните свой текст, когда он будет готов.',
      merge: 'Объединить оба',
      mergedAll: 'В вашем тексте теперь изменения обоих. Посмотрите и сохраните.',
      mergedBut: (names) =>
        `В вашем тексте теперь изменения обоих. Это изменили вы оба, взято ваше: ${names}.`,
      copy: 'Оставить мой текст копией',
      copyName: (name, number) => `${name} (копия${number > 1 ? ` ${number}` : ''})`,
      saveMine: (version) => `Опубликовать мой текст как версию ${version}`,
      saveDraft: 'Продолжить с моим текстом',
      takeTheirs: 'Взять сохранённую версию, отменить мои изменения',
      takeTitle: 'Отменить ваши изменения?',
      takeText: 'В редакторе будет сохранённая версия, ваш текст пропадёт.',
      back: 'Назад к моему тексту',
    },
  },
);
