import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  NavLink,
  ScrollArea,
  Select,
  Text,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMessages } from '@tabler/icons-react';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { texts, useTexts } from '../shared/language.tsx';
import { basePath } from '../shared/page.ts';
import { Loading } from '../shared/page-parts.tsx';
import { LoadProblem } from '../shared/problem.tsx';
import { AccountMenu } from './account-menu.tsx';
import { useAccount, useProjectId } from './api.ts';
import { Invitations } from './invitations.tsx';
import { menu, menuTexts } from './menu.ts';
import { NotFoundPage } from './not-found.tsx';

const layout = texts(
  {
    menu: 'Menu',
    project: 'Project',
    chats: 'Chat center',
  },
  {
    ru: {
      menu: 'Меню',
      project: 'Проект',
      chats: 'Чат-центр',
    },
  },
);

export default function Layout() {
  const account = useAccount();
  const projectId = useProjectId();
  if (account.isPending) return <Loading height={600} />;
  if (account.isError) return <LoadProblem error={account.error} onRetry={account.refetch} />;
  const project = account.data.projects.find(({ uuid }) => uuid === projectId);
  if (!project) return <NotFoundPage />;
  return <Shell account={account.data} project={project} />;
}

type AccountData = NonNullable<ReturnType<typeof useAccount>['data']>;

type ProjectData = AccountData['projects'][number];

function Shell({ account, project }: { account: AccountData; project: ProjectData }) {
  const [opened, { toggle, close }] = useDisclosure();
  const t = useTexts(layout);
  useEffect(() => {
    document.title = `${project.title} · Patchbay`;
  }, [project.title]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t.menu} />
            <Text fw={700} visibleFrom="xs">
              Patchbay
            </Text>
            <ProjectSelect account={account} project={project} />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ChatsLink project={project.uuid} />
            <AccountMenu account={account} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <ScrollArea>
          <Menu project={project} onChoose={close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main>
        <Invitations account={account} />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function ProjectSelect({ account, project }: { account: AccountData; project: ProjectData }) {
  const navigate = useNavigate();
  const t = useTexts(layout);
  return (
    <Select
      aria-label={t.project}
      data={account.projects.map(({ uuid, title }) => ({ value: uuid, label: title }))}
      value={project.uuid}
      onChange={(uuid) => uuid && navigate({ to: '/$project/', params: { project: uuid } })}
      allowDeselect={false}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      w={{ base: 150, sm: 220 }}
    />
  );
}

/** In words, or as a sign where there is little room. */
function ChatsLink({ project }: { project: string }) {
  const t = useTexts(layout);
  const href = `${basePath}/chat-center/?project=${project}`;
  return (
    <>
      <Button
        component="a"
        href={href}
        variant="light"
        leftSection={<IconMessages size={18} aria-hidden />}
        visibleFrom="sm"
      >
        {t.chats}
      </Button>
      <ActionIcon component="a" href={href} variant="light" size="lg" aria-label={t.chats} hiddenFrom="sm">
        <IconMessages size={18} aria-hidden />
      </ActionIcon>
    </>
  );
}

function Menu({ project, onChoose }: { project: ProjectData; onChoose(): void }) {
  const t = useTexts(layout);
  const words = useTexts(menuTexts);
  return (
    <nav aria-label={t.menu}>
      {menu
        .filter(({ adminsOnly }) => !adminsOnly || project.role === 'admin')
        .map(({ key, to, icon: Icon, waiting: Waiting }) => (
          <Link
            key={key}
            to={to}
            params={{ project: project.uuid }}
            activeOptions={{ exact: key === 'home' }}
            onClick={onChoose}
            style={{ textDecoration: 'none', color: 'inherit' }}
          >
            {({ isActive }) => (
              <NavLink
                component="span"
                label={words[key]}
                active={isActive}
                leftSection={<Icon size={18} aria-hidden />}
                rightSection={Waiting && <Waiting />}
              />
            )}
          </Link>
        ))}
    </nav>
  );
}
