import { ActionIcon, Menu } from '@mantine/core';
import {
  IconBolt,
  IconKeyboard,
  IconLogout,
  IconUserCircle,
  IconVolume,
  IconVolumeOff,
} from '@tabler/icons-react';
import type { Account } from '../../../../src/people/console/account/schema.ts';
import { useTexts } from '../../shared/language.tsx';
import { LookItems } from '../../shared/look-items.tsx';
import { basePath } from '../../shared/page.ts';
import { useHeld } from '../kept.ts';
import { soundIsOn } from '../live/beep.ts';
import { shellTexts } from './texts.ts';

/** `person` is the signed-in person, or null in a frame. */
export default function AccountMenu({
  name,
  person,
  onShortcuts,
  onQuickAnswers,
}: {
  name: string;
  person: Account | undefined;
  onShortcuts(): void;
  onQuickAnswers(): void;
}) {
  const t = useTexts(shellTexts);
  const sounds = useHeld(soundIsOn);
  return (
    <Menu
      position="bottom-end"
      width={260}
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      defaultOpened
    >
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" aria-label={t.you}>
          <IconUserCircle aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{person ? `${name} · ${person.email}` : name}</Menu.Label>
        <Menu.Item leftSection={<IconBolt size={16} aria-hidden />} onClick={onQuickAnswers}>
          {t.quickAnswers}
        </Menu.Item>
        <Menu.Item
          leftSection={
            sounds ? <IconVolume size={16} aria-hidden /> : <IconVolumeOff size={16} aria-hidden />
          }
          onClick={() => soundIsOn.set(!sounds)}
          closeMenuOnClick={false}
        >
          {t.sound}: {sounds ? t.on : t.off}
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={16} aria-hidden />} onClick={onShortcuts}>
          {t.shortcuts}
        </Menu.Item>
        <Menu.Divider />
        <LookItems />
        {person && (
          <>
            <Menu.Divider />
            <form method="post" action={`${basePath}/sign-out/`}>
              <input type="hidden" name="token" value={person.form_token} />
              <Menu.Item component="button" type="submit" leftSection={<IconLogout size={16} aria-hidden />}>
                {t.signOut}
              </Menu.Item>
            </form>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
