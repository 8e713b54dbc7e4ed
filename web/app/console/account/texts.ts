import { texts } from '../../shared/language.tsx';

export const accountTexts = texts(
  {
    title: 'Your account',
    password: 'Change your password',
    current: 'Present password',
    currentHint: 'Don’t know it? “Forgot your password?” on the sign-in page says how to get a link.',
    next: 'New password',
    nextHint: 'Of at least 10 characters. A sentence is easier to remember than a word.',
    again: 'The same once more',
    differ: 'These two differ.',
    change: 'Change the password',
    others: 'Your other browsers are signed out by it.',
    everywhere: 'Sign out everywhere',
    everywhereHint: 'Ends your sessions in all browsers, this one too.',
  },
  {
    ru: {
      title: 'Ваша учётная запись',
      password: 'Сменить пароль',
      current: 'Нынешний пароль',
      currentHint: 'Не помните? На странице входа сказано, как получить ссылку.',
      next: 'Новый пароль',
      nextHint: 'Не короче 10 символов. Предложение запомнить проще, чем слово.',
      again: 'Ещё раз',
      differ: 'Пароли не совпадают.',
      change: 'Сменить пароль',
      others: 'В других браузерах вы выйдете из системы.',
      everywhere: 'Выйти везде',
      everywhereHint: 'Завершает сеансы во всех браузерах, и в этом тоже.',
    },
  },
);
