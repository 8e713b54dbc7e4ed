/** @typedef {typeof en} Words */

const en = {
  open: 'Open the chat',
  unread: 'unread',
  close: 'Close the chat',
  dismiss: 'Dismiss',
  news: 'New message',
  title: 'Chat with us',
  greeting: 'Hello! Write to us; we reply here.',
  messages: 'Messages',
  picture: 'Image',
  sent: 'Sent',
  sending: 'Sending',
  retry: 'Not sent. Try again',
  badType: 'Not sent: files of this type are not accepted',
  tooLarge: 'Not sent: the file is larger than 20 MB',
  message: 'Message',
  placeholder: 'Write a message…',
  send: 'Send',
  attach: 'Attach a file',
  typing: 'is typing…',
  here: 'Online',
  connecting: 'Connecting…',
  offline: 'No connection. Messages will be sent later',
  unavailable: 'Not available on this page',
  credit: 'Powered by Patchbay',
};

/** @type {Words} */
const ru = {
  open: 'Открыть чат',
  unread: 'непрочитанных',
  close: 'Закрыть чат',
  dismiss: 'Скрыть',
  news: 'Новое сообщение',
  title: 'Напишите нам',
  greeting: 'Здравствуйте! Напишите нам, мы ответим здесь.',
  messages: 'Сообщения',
  picture: 'Изображение',
  sent: 'Отправлено',
  sending: 'Отправляется',
  retry: 'Не отправлено. Повторить',
  badType: 'Не отправлено: файлы такого типа не принимаются',
  tooLarge: 'Не отправлено: файл больше 20 МБ',
  message: 'Сообщение',
  placeholder: 'Напишите сообщение…',
  send: 'Отправить',
  attach: 'Прикрепить файл',
  typing: 'печатает…',
  here: 'На связи',
  connecting: 'Подключение…',
  offline: 'Нет связи. Сообщения уйдут позже',
  unavailable: 'Недоступно на этой странице',
  credit: 'Работает на Patchbay',
};

/**
 * The texts of a language, and the locale for dates. The default locale is the browser's.
 * @param {string | undefined} language `en` or `ru`; else the page's, or the browser's
 * @returns {{ words: Words, locale: string | undefined }}
 */
export function wordsIn(language) {
  const chosen = language === 'en' || language === 'ru' ? language : undefined;
  const found = chosen ?? (document.documentElement.lang || navigator.language);
  return /^ru\b/i.test(found) ? { words: ru, locale: 'ru' } : { words: en, locale: chosen };
}
