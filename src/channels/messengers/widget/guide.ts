import { type Guide, words } from '../../contract/guide.ts';

const shown = words(
  'Can be changed later on the page of the Widget.',
  'Можно изменить позже на странице виджета.',
);

export const guide: Guide = {
  before: [
    {
      title: words('Name your sites', 'Укажите свои сайты'),
      text: words(
        'Only pages of these sites can show the Widget. Empty: any page can.',
        'Показывать виджет смогут только страницы этих сайтов. Если пусто, любые.',
      ),
      fields: [
        {
          name: 'allowed_origins',
          label: words('Sites', 'Сайты'),
          help: words(
            'For example https://shop.example, separated by commas.',
            'Например, https://shop.example, через запятую.',
          ),
        },
      ],
    },
    {
      title: words('Choose how it looks', 'Выберите вид'),
      text: shown,
      fields: [
        { name: 'title', label: words('Title', 'Заголовок') },
        { name: 'greeting', label: words('Greeting', 'Приветствие') },
        {
          name: 'accent',
          label: words('Colour', 'Цвет'),
          help: words('For example #0b7a6b.', 'Например, #0b7a6b.'),
        },
        { name: 'position', label: words('Corner of the page', 'Угол страницы') },
        { name: 'theme', label: words('Light or dark', 'Светлая или тёмная тема') },
        { name: 'language', label: words('Language', 'Язык') },
      ],
      isRare: true,
    },
    {
      title: words('Sign in your customers', 'Узнавайте вошедших покупателей'),
      text: words(
        'Your server proves with this key who a signed-in visitor is. Without it, every visitor is anonymous.',
        'Этим ключом ваш сервер подтверждает, кто вошёл на сайт. Без него все посетители анонимны.',
      ),
      fields: [
        { name: 'identity_secret', label: words('Identity secret', 'Секрет для входа'), canMake: 'token' },
      ],
      isRare: true,
    },
  ],
  after: [
    {
      title: words('Put it on your site', 'Поставьте на сайт'),
      text: words(
        'Copy this line into the pages, before the end of the body.',
        'Скопируйте эту строку на страницы, перед концом body.',
      ),
      gives: ['script_tag'],
    },
  ],
  tryOut: words(
    'Open a page of your site and write in the Widget.',
    'Откройте страницу своего сайта и напишите в виджет.',
  ),
};
