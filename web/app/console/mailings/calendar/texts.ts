import { texts } from '../../../shared/language.tsx';

export const calendarTexts = texts(
  {
    title: 'Calendar of mailings',
    open: 'Calendar',
    back: 'All mailings',
    zone: (zone: string) => `Days and times in the project’s time zone, ${zone}.`,
    quiet: (from: string, until: string) =>
      `Quiet hours ${from}–${until}: messages wait until they end where the client is.`,
    view: 'Period',
    views: { month: 'Month', week: 'Week' },
    previous: 'Earlier',
    next: 'Later',
    today: 'Today',
    none: 'Nothing is planned in this period.',
    nothing: 'Nothing planned',
    cut: 'Some mailings come very often. Only their first hundred starts are listed.',
    kinds: {
      planned: 'Planned',
      awaits: 'Waits for approval',
      started: 'Started',
      rest: 'Rest of an A/B test',
    },
    regular: 'on a schedule',
    isQuiet: (until: string) => `Starts in quiet hours: messages wait until ${until} by the client’s clock.`,
    collides: 'Within the same hour on the same channels:',
    isToday: 'today',
  },
  {
    ru: {
      title: 'Календарь рассылок',
      open: 'Календарь',
      back: 'Все рассылки',
      zone: (zone) => `Дни и время в часовом поясе проекта, ${zone}.`,
      quiet: (from, until) =>
        `Тихие часы ${from}–${until}: сообщения ждут, пока они не кончатся там, где клиент.`,
      view: 'Период',
      views: { month: 'Месяц', week: 'Неделя' },
      previous: 'Раньше',
      next: 'Позже',
      today: 'Сегодня',
      none: 'В этом периоде ничего не запланировано.',
      nothing: 'Ничего не запланировано',
      cut: 'Некоторые рассылки идут очень часто. Показаны только первые сто запусков.',
      kinds: {
        planned: 'Запланирована',
        awaits: 'Ждёт одобрения',
        started: 'Началась',
        rest: 'Остальным после A/B-теста',
      },
      regular: 'по расписанию',
      isQuiet: (until) => `Начинается в тихие часы: сообщения ждут до ${until} по часам клиента.`,
      collides: 'В тот же час по тем же каналам:',
      isToday: 'сегодня',
    },
  },
);
