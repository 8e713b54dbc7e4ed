import { texts } from '../../shared/language.tsx';

export const accountTexts = texts(
  {
    title: 'Your account',
    password: 'Change your password',
    current: 'Current password',
    currentHint: 'If you forgot it, the sign-in page explains how to get a link.',
    next: 'New password',
    nextHint: 'At least 10 characters. A sentence is easier to remember than a word.',
    again: 'Repeat the new password',
    differ: 'The passwords do not match.',
    change: 'Change password',
    others: 'This signs you out in your other browsers.',
    everywhere: 'Sign out everywhere',
    everywhereHint: 'Ends your sessions in all browsers, including this one.',
  },
  {
    ru: {
      title: 'Ваша учётная запись',
      password: 'Сменить пароль',
      current: 'Текущий пароль',
      currentHint: 'Если вы забыли пароль, на странице входа указано, как получить ссылку.',
      next: 'Новый пароль',
      nextHint: 'Не короче 10 символов. Предложение запомнить проще, чем слово.',
      again: 'Повторите новый пароль',
      differ: 'Пароли не совпадают.',
      change: 'Сменить пароль',
      others: 'В других браузерах вы выйдете из системы.',
      everywhere: 'Выйти везде',
      everywhereHint: 'Завершает сеансы во всех браузерах, включая этот.',
    },
  },
);
