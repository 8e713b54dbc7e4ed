import { Button, Menu } from '@mantine/core';
import { IconFolderPlus, IconLogout, IconPassword, IconUserCircle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useId } from 'react';
import type { Account } from '../../../src/people/console/account/schema.ts';
import { texts, useTexts } from '../shared/language.tsx';
import { LookItems } from '../shared/look-items.tsx';
import { basePath } from '../shared/page.ts';
import { useProjectId } from './api.ts';

const accountMenu = texts(
  {
    you: 'Account',
    account: 'Your account',
    newProject: 'New project',
    signOut: 'Sign out',
    everywhere: 'Sign out everywhere',
  },
  {
    ru: {
      you: 'Учётная запись',
      account: 'Ваша учётная запись',
      newProject: 'Новый проект',
      signOut: 'Выйти',
      everywhere: 'Выйти везде',
    },
  },
);

/** The menu of the signed-in person, available on every page. */
export function AccountMenu({ account }: { account: Account }) {
  const t = useTexts(accountMenu);
  const navigate = useNavigate();
  const project = useProjectId();
  const signOutForm = useId();
  return (
    <>
      {/* Outside the menu, which may contain only its items. */}
      <form id={signOutForm} method="post" action={`${basePath}/sign-out/`}>
        <input type="hidden" name="token" value={account.form_token} />
      </form>
      <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <Button variant="subtle" px="xs" aria-label={t.you}>
            <IconUserCircle aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{account.email}</Menu.Label>
          <LookItems />
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconPassword size={16} aria-hidden />}
            onClick={() => navigate({ to: '/$project/account/', params: { project } })}
          >
            {t.account}
          </Menu.Item>
          {account.may_make_projects && (
            <Menu.Item
              leftSection={<IconFolderPlus size={16} aria-hidden />}
              onClick={() => navigate({ to: '/$project/new-project/', params: { project } })}
            >
              {t.newProject}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            component="button"
            type="submit"
            form={signOutForm}
            leftSection={<IconLogout size={16} aria-hidden />}
          >
            {t.signOut}
          </Menu.Item>
          <Menu.Item
            component="button"
            type="submit"
            form={signOutForm}
            name="everywhere"
            value="true"
            leftSection={<IconLogout size={16} aria-hidden />}
          >
            {t.everywhere}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
