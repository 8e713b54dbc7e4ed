import { Menu, useMantineColorScheme } from '@mantine/core';
import { IconLanguage, IconMoonStars } from '@tabler/icons-react';
import { languages, otherLanguages, texts, useLanguage, useTexts } from './language.tsx';

const lookTexts = texts({ dark: 'Light or dark theme' }, { ru: { dark: 'Светлая или тёмная тема' } });

/** Menu items for language and colour scheme. */
export function LookItems() {
  const t = useTexts(lookTexts);
  const { language, choose } = useLanguage();
  const { toggleColorScheme } = useMantineColorScheme();
  return (
    <>
      {otherLanguages(language).map((other) => (
        <Menu.Item
          key={other}
          leftSection={<IconLanguage size={16} aria-hidden />}
          onClick={() => choose(other)}
        >
          {languages[other]}
        </Menu.Item>
      ))}
      <Menu.Item leftSection={<IconMoonStars size={16} aria-hidden />} onClick={toggleColorScheme}>
        {t.dark}
      </Menu.Item>
    </>
  );
}
