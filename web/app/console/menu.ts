import {
  type Icon,
  IconApps,
  IconBellOff,
  IconFilter,
  IconHome2,
  IconMessageCircle,
  IconPlugConnected,
  IconRoute,
  IconSend,
  IconSettings,
  IconTemplate,
  IconTicket,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
} from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { texts } from '../shared/language.tsx';
import { ApprovalCount } from './mailings/approval-count.tsx';

/** The menu entries, in order. Operators do not see `adminsOnly` entries. */
export type MenuKey = keyof (typeof menuTexts)['en'];

export const menuTexts = texts(
  {
    home: 'Start',
    mailings: 'Mailings',
    audiences: 'Audiences',
    profiles: 'Profiles',
    scenarios: 'Scenarios',
    templates: 'Templates',
    promocodes: 'Promo codes',
    consent: 'Consent',
    channels: 'Channels',
    widget: 'Widget',
    webhooks: 'Webhooks',
    applications: 'Applications',
    team: 'Team',
    settings: 'Settings',
  },
  {
    ru: {
      home: 'Начало',
      mailings: 'Рассылки',
      audiences: 'Аудитории',
      profiles: 'Профили',
      scenarios: 'Сценарии',
      templates: 'Шаблоны',
      promocodes: 'Промокоды',
      consent: 'Подписки',
      channels: 'Каналы',
      widget: 'Виджет',
      webhooks: 'Вебхуки',
      applications: 'Приложения',
      team: 'Команда',
      settings: 'Настройки',
    },
  },
);

type MenuEntry = {
  key: MenuKey;
  to: LinkProps['to'];
  icon: Icon;
  /** How much waits there. */
  waiting?: ComponentType;
  adminsOnly?: true;
};

export const menu: MenuEntry[] = [
  { key: 'home', to: '/$project/', icon: IconHome2, adminsOnly: true },
  { key: 'mailings', to: '/$project/mailings/', icon: IconSend, waiting: ApprovalCount, adminsOnly: true },
  { key: 'audiences', to: '/$project/audiences/', icon: IconFilter, adminsOnly: true },
  { key: 'profiles', to: '/$project/profiles/', icon: IconUsers },
  { key: 'scenarios', to: '/$project/scenarios/', icon: IconRoute, adminsOnly: true },
  { key: 'templates', to: '/$project/templates/', icon: IconTemplate, adminsOnly: true },
  { key: 'promocodes', to: '/$project/promocodes/', icon: IconTicket, adminsOnly: true },
  { key: 'consent', to: '/$project/consent/', icon: IconBellOff, adminsOnly: true },
  { key: 'channels', to: '/$project/channels/', icon: IconPlugConnected, adminsOnly: true },
  { key: 'widget', to: '/$project/widget/', icon: IconMessageCircle, adminsOnly: true },
  { key: 'webhooks', to: '/$project/webhooks/', icon: IconWebhook, adminsOnly: true },
  { key: 'applications', to: '/$project/applications/', icon: IconApps, adminsOnly: true },
  { key: 'team', to: '/$project/team/', icon: IconUsersGroup, adminsOnly: true },
  { key: 'settings', to: '/$project/settings/', icon: IconSettings, adminsOnly: true },
];
