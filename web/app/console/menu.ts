import { type Icon, IconHome2 } from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';
import { texts } from '../shared/language.tsx';

/** The menu's words and places, in its order. An operator sees what is not `adminsOnly`. */
export type MenuKey = keyof (typeof menuTexts)['en'];

export const menuTexts = texts({ home: 'Start' }, { ru: { home: 'Начало' } });

export const menu: { key: MenuKey; to: LinkProps['to']; icon: Icon; adminsOnly?: true }[] = [
  { key: 'home', to: '/$project/', icon: IconHome2 },
];
